package load

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"records/ent"
	entrest "records/ent/rest"
	"records/internal/rest"
)

// Demo fills the viewer's workspace with believable records: each resource gets
// the examples that its schema declares, each reference a record that is there.
// It returns how many records it created.
func Demo(ctx context.Context, client *ent.Client) (int, error) {
	all := entrest.Resources(client)
	made := map[string][]string{} // ids by plural
	n := 0
	for _, resource := range byReference(all) {
		plural := resource.Spec().Plural
		taken := map[string]bool{}
		for i := range recordsOf(resource) {
			body := Example(resource, i, made)
			if clashes(resource.Spec().Unique, body, taken) {
				continue
			}
			id, err := createOne(ctx, all, resource, body)
			if err != nil {
				return n, fmt.Errorf("%s: %w", plural, err)
			}
			made[plural] = append(made[plural], id)
			n++
		}
	}
	return n, nil
}

// Example is the i-th believable body of a resource; no two of them give one
// value to a field that is unique. References take an id of made, by plural, and
// are left out where there is none.
func Example(resource rest.Resource, i int, made map[string][]string) map[string]any {
	body := map[string]any{}
	for _, f := range resource.Fields() {
		switch ids := made[f.Reference]; {
		case f.Reference != "" && len(ids) > 0:
			body[f.Name] = ids[i%len(ids)]
		case len(f.Examples) > 0:
			body[f.Name] = value(f, exampleOf(f, i, unique(resource, f)))
		}
	}
	return body
}

// exampleOf is the i-th example of a field, or a variation of one where two
// records must differ.
func exampleOf(f rest.Field, i int, differs bool) string {
	if differs {
		return distinct(f, i)
	}
	return f.Examples[i%len(f.Examples)]
}

// value is what an example of a field stands for, a number as json.Number.
func value(f rest.Field, example string) any {
	if f.JSON == "string" {
		return example
	}
	d := json.NewDecoder(strings.NewReader(example))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return example // the generator takes only examples that are JSON; this one will be refused
	}
	return v
}

func createOne(ctx context.Context, all rest.Resources, resource rest.Resource, body map[string]any) (string, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return "", err
	}
	created, err := resource.Create(ctx, all, raw)
	if err != nil {
		return "", err
	}
	var record struct{ ID string }
	return record.ID, json.Unmarshal(created, &record)
}

// unique reports whether the field stands in a unique index.
func unique(resource rest.Resource, f rest.Field) bool {
	return slices.ContainsFunc(resource.Spec().Unique, func(fields []string) bool { return slices.Contains(fields, f.Name) })
}

// recordsOf is how many different records the examples of a resource make.
func recordsOf(resource rest.Resource) int {
	n := 1
	for _, f := range resource.Fields() {
		n = max(n, len(f.Examples))
	}
	return n
}

// clashes reports whether a record with the values of a unique index is there
// already: not every field has as many values as there could be records. If not,
// it takes the values of this one up.
func clashes(unique [][]string, body map[string]any, taken map[string]bool) bool {
	keys := uniqueKeys(unique, body)
	if slices.ContainsFunc(keys, func(key string) bool { return taken[key] }) {
		return true
	}
	for _, key := range keys {
		taken[key] = true
	}
	return false
}

// uniqueKeys are what a record has in each unique index. One of which a field is
// null is left out: null differs from null.
func uniqueKeys(unique [][]string, body map[string]any) (keys []string) {
	for i, fields := range unique {
		if slices.ContainsFunc(fields, func(name string) bool { return body[name] == nil }) {
			continue
		}
		key := fmt.Sprint(i)
		for _, name := range fields {
			key += fmt.Sprintf("\x00%v", body[name])
		}
		keys = append(keys, key)
	}
	return keys
}

// byReference orders resources so that what is referred to comes first, as far
// as there is such an order.
func byReference(all rest.Resources) rest.Resources {
	var ordered rest.Resources
	seen := map[string]bool{}
	var visit func(rest.Resource)
	visit = func(r rest.Resource) {
		if seen[r.Spec().Plural] {
			return
		}
		seen[r.Spec().Plural] = true
		for _, f := range r.Fields() {
			if target, ok := all.Find(f.Reference); ok {
				visit(target)
			}
		}
		ordered = append(ordered, r)
	}
	for _, r := range all {
		visit(r)
	}
	return ordered
}

package load

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
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
		for i := range recordsOf(resource, made) {
			id, err := createExample(ctx, all, resource, i, made)
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

func createExample(ctx context.Context, all rest.Resources, resource rest.Resource, i int, made map[string][]string) (string, error) {
	body, err := json.Marshal(Example(resource, i, made))
	if err != nil {
		return "", err
	}
	created, err := resource.Create(ctx, all, body)
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

// recordsOf is how many different records the examples of a resource make. A
// field that is unique is not made up where it refers to records, of which there
// are only so many.
func recordsOf(resource rest.Resource, made map[string][]string) int {
	n, most := 1, math.MaxInt
	for _, f := range resource.Fields() {
		n = max(n, len(f.Examples))
		if unique(resource, f) && f.Reference != "" && f.Reference != resource.Spec().Plural {
			most = min(most, len(made[f.Reference]))
		}
	}
	return min(n, most)
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

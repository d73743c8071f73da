package restgen

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// changes says in words what two descriptions differ in, a line for each
// resource. before is empty the first time.
func changes(before, after []byte, resources []resource) ([]string, error) {
	from, err := readContents(before)
	if err != nil {
		return nil, err
	}
	to, err := readContents(after)
	if err != nil {
		return nil, err
	}
	was, is := from.operations(), to.operations()
	var lines []string
	for _, r := range resources {
		if was[r.Plural] == 0 {
			lines = append(lines, fmt.Sprintf("%s: new, with %s, 1 table, %s; description: +%s",
				r.Plural, count(is[r.Plural], "endpoint"), count(r.Indexes, "index"), count(is[r.Plural], "operation")))
		} else if line := changed(from, to, r, is[r.Plural]-was[r.Plural]); line != "" {
			lines = append(lines, r.Plural+": "+line)
		}
	}
	for _, plural := range slices.Sorted(maps.Keys(was)) {
		if is[plural] == 0 {
			lines = append(lines, fmt.Sprintf("%s: gone; description: -%s", plural, count(was[plural], "operation")))
		}
	}
	return lines, nil
}

// changed says what became of a resource that was there before.
func changed(from, to contents, r resource, operations int) string {
	var parts []string
	was, is := from.fields(r.Type), to.fields(r.Type)
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if _, ok := was[name]; !ok {
			parts = append(parts, "+"+name)
		} else if !reflect.DeepEqual(was[name], is[name]) {
			parts = append(parts, name+" changed")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, ok := is[name]; !ok {
			parts = append(parts, "-"+name)
		}
	}
	if operations != 0 {
		parts = append(parts, fmt.Sprintf("description: %+d operations", operations))
	}
	return strings.Join(parts, ", ")
}

// contents are what changes looks at of a description.
type contents struct {
	Paths      map[string]map[string]json.RawMessage
	Components struct {
		Schemas map[string]struct{ Properties map[string]any }
	}
}

func readContents(b []byte) (d contents, err error) {
	if len(b) == 0 {
		return d, nil
	}
	return d, json.Unmarshal(b, &d)
}

// operations counts the operations under each tag, which is a plural.
func (d contents) operations() map[string]int {
	n := map[string]int{}
	for _, item := range d.Paths {
		for _, raw := range item {
			var operation struct{ Tags []string }
			if json.Unmarshal(raw, &operation) == nil && len(operation.Tags) > 0 {
				n[operation.Tags[0]]++
			}
		}
	}
	return n
}

// fields are what a body may hold or an answer shows, both of a resource.
func (d contents) fields(name string) map[string]any {
	all := map[string]any{}
	for _, schema := range []string{name, name + "Create"} {
		for field, value := range d.Components.Schemas[schema].Properties {
			if !slices.Contains(serverSet, field) {
				all[field] = value
			}
		}
	}
	return all
}

// count is a number and its noun: 1 index, 2 indexes.
func count(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "x"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// Package hostile is what the suites that attack the API have in common: bodies
// in which every text carries the canary of its workspace, the forms in which an
// id can be written, and how what comes back is compared with what was sent.
package hostile

import (
	"encoding/json"
	"maps"
	"slices"

	"records/internal/load"
	"records/internal/rest"
)

// Body is the n-th valid body of a resource, in which every text that may, and that
// no rule speaks of, carries the canary, those inside of lists and objects too. What is unique is as in none
// before. References take an id of made, by plural.
func Body(r rest.Resource, n int, made map[string][]string, canary string) map[string]any {
	body := load.Example(r, n, made)
	for _, f := range r.Fields() {
		if v, ok := body[f.Name]; ok && !Ruled(r, f.Name) && takes(f, mark(v, canary)) {
			body[f.Name] = mark(v, canary)
		}
	}
	return body
}

// Mutable is a body without what cannot be changed.
func Mutable(r rest.Resource, body map[string]any) map[string]any {
	body = maps.Clone(body)
	for _, f := range r.Fields() {
		if f.Immutable {
			delete(body, f.Name)
		}
	}
	return body
}

// References are the fields of a resource that refer to a record.
func References(r rest.Resource) []rest.Field {
	return slices.DeleteFunc(r.Fields(), func(f rest.Field) bool { return f.Reference == "" })
}

// mark is a value whose texts begin with the canary.
func mark(v any, canary string) any {
	switch v := v.(type) {
	case string:
		return canary + v
	case []any:
		marked := make([]any, len(v))
		for i := range v {
			marked[i] = mark(v[i], canary)
		}
		return marked
	case map[string]any:
		marked := map[string]any{}
		for name := range v {
			marked[name] = mark(v[name], canary)
		}
		return marked
	}
	return v
}

// takes reports whether a field takes a value.
func takes(f rest.Field, v any) bool {
	raw, err := json.Marshal(v)
	if err == nil {
		_, err = f.Parse(raw)
	}
	return err == nil
}

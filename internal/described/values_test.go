package described

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
)

// valid are values that a field's schema allows, up to its limits. Where the
// schema cannot tell all that is checked, only its examples are sure to be.
func valid(s schema) (values []any) {
	for _, e := range s.Examples {
		values = append(values, e)
	}
	if s.nullable() {
		values = append(values, nil)
	}
	switch kind := s.kind(); {
	case strings.Contains(s.Description, "checks more"):
	case s.Enum != nil:
		values = append(values, s.Enum...)
	case kind == "boolean":
		values = append(values, true, false)
	case kind == "integer" || kind == "number":
		for _, limit := range []json.Number{s.Minimum, s.Maximum} {
			if limit != "" {
				values = append(values, limit)
			}
		}
	case kind == "string" && s.Format == "" && s.Pattern == "":
		values = append(values, strings.Repeat("a", max(1, s.MinLength)))
		if s.MinLength == 0 {
			values = append(values, "")
		}
		if s.MaxLength > 0 {
			values = append(values, strings.Repeat("a", s.MaxLength), strings.Repeat("é", s.MaxLength), strings.Repeat("😀", s.MaxLength))
		}
	}
	return values
}

// invalid are values that a field's schema forbids.
func invalid(s schema) (values []any) {
	if !s.nullable() {
		values = append(values, nil)
	}
	for kind, value := range map[string]any{"string": "a", "boolean": true, "integer": 7, "object": map[string]any{"a": 1}, "array": []any{map[string]any{}}} {
		if kind != s.kind() && (kind != "integer" || s.kind() != "number") {
			values = append(values, value)
		}
	}
	switch kind := s.kind(); {
	case s.Enum != nil:
		values = append(values, "", "no such value")
	case kind == "integer" || kind == "number":
		values = append(values, beyond(s.Minimum, -1), beyond(s.Maximum, 1))
		if kind == "integer" {
			values = append(values, json.Number("1.5"))
		}
	case kind == "string":
		if s.MinLength > 0 {
			values = append(values, strings.Repeat("a", s.MinLength-1))
		}
		if s.MaxLength > 0 {
			values = append(values, strings.Repeat("a", s.MaxLength+1), strings.Repeat("é", s.MaxLength+1))
		}
		if s.Format != "" {
			values = append(values, "", "x")
		}
	}
	return values
}

// beyond is a limit and a step further, or where there is none a number that no
// float can hold.
func beyond(limit json.Number, step int64) any {
	n, ok := new(big.Rat).SetString(string(limit))
	if !ok {
		return json.Number("1e400")
	}
	n.Add(n, big.NewRat(step, 1))
	if n.IsInt() {
		return json.Number(n.Num().String())
	}
	return json.Number(n.FloatString(4))
}

// fixed is a field that the operation takes and does not set.
func (s schema) fixed(o described) bool {
	return s.ReadOnly || o.method == "PATCH" && strings.Contains(s.Description, "Cannot be changed")
}

func (s schema) types() []string {
	if one, ok := s.Type.(string); ok {
		return []string{one}
	}
	var all []string
	for _, t := range s.Type.([]any) {
		all = append(all, t.(string))
	}
	return all
}

func (s schema) kind() string { return s.types()[0] }

func (s schema) nullable() bool { return slices.Contains(s.types(), "null") }

package restgen

import (
	"encoding/json"
	"fmt"
)

// ruleFaults finds rules that the examples break. The demo, the description and the
// tests put them together in many ways, so that each must go with each.
func (r resource) ruleFaults() (faults []string) {
	for _, rule := range r.Rules {
		columns, values := rule.parsed.Columns(), map[string]any{}
		var broken func(i int) bool
		broken = func(i int) bool {
			if i == len(columns) {
				return rule.parsed.Broken(func(column string) any { return values[column] })
			}
			for _, v := range r.candidates(columns[i]) {
				values[columns[i]] = v
				if broken(i + 1) {
					return true
				}
			}
			return false
		}
		if broken(0) {
			faults = append(faults, fmt.Sprintf("%s has the rule %q (%s), which its own examples and defaults break%s: give such by annotation.Examples(\"…\") that each goes with each, for the demo and the tests mix them",
				r.Type, rule.Name, rule.Text, given(columns, values)))
		}
	}
	return faults
}

// given names values, as in ", with end_date 2026-01-01 and start_date 2026-02-01".
func given(columns []string, values map[string]any) (words string) {
	for i, c := range columns {
		join := " and "
		if i == 0 {
			join = ", with "
		}
		v := values[c]
		if v == nil {
			v = "null"
		}
		words += fmt.Sprintf("%s%s %v", join, c, v)
	}
	return words
}

// candidates are the values that a field has in what is made of its examples.
func (r resource) candidates(column string) (values []any) {
	for _, f := range r.Fields {
		if f.Name != column {
			continue
		}
		for n := range f.Examples {
			v, _ := exampleOf(f, n)
			values = append(values, judged(v))
		}
		if f.Default != nil {
			values = append(values, judged(f.Default))
		}
	}
	if values == nil {
		values = []any{nil} // a reference: what it names is not known
	}
	return values
}

// breaks reports whether a record with these values breaks a rule.
func (r resource) breaks(values map[string]any) bool {
	for _, rule := range r.Rules {
		if rule.parsed.Broken(func(column string) any { return judged(values[column]) }) {
			return true
		}
	}
	return false
}

// judged is a value as rules are judged by it.
func judged(v any) any {
	switch v := v.(type) {
	case json.RawMessage:
		if text := string(v); text == "true" || text == "false" {
			return text == "true"
		}
		return json.Number(v)
	case nil, string, bool:
		return v
	}
	return json.Number(fmt.Sprint(v))
}

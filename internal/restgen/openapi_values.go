package restgen

import (
	"encoding/json"
	"strings"

	"records/internal/scalar"
)

// input is a body with every field.
func (r resource) input() ordered {
	body := ordered{}
	for _, f := range r.accepted(true) {
		body = append(body, property{f.Name, r.sent(f, 0)})
	}
	return body
}

// record is the answer to input.
func (r resource) record() ordered {
	values := map[string]any{}
	for _, f := range r.Shown() {
		values[f.Name] = r.sent(f, 0)
	}
	return r.answer(values, createdAt)
}

// smallest is the smallest body of a create and its answer; false where the
// answer has a default that only the server can compute, or a rule asks for more.
func (r resource) smallest() (body, record ordered, ok bool) {
	body, values := ordered{}, map[string]any{}
	for _, f := range r.accepted(true) {
		if f.Computed {
			return nil, nil, false
		}
		if f.Required {
			body = append(body, property{f.Name, r.sent(f, 0)})
			values[f.Name] = r.sent(f, 0)
		} else if f.Default != nil {
			values[f.Name] = f.Default
		}
	}
	return body, r.answer(values, createdAt), !r.breaks(values)
}

// change is an update that sets the first field that has another example and
// clears the last one that can be, if the rules allow that, and the record that it
// makes of record.
func (r resource) change() (body, record ordered) {
	set, clear := "", ""
	body, values := ordered{}, map[string]any{}
	for _, f := range r.accepted(false) {
		switch {
		case f.Reference != nil || f.Immutable:
		case set == "" && len(f.Examples) > 1:
			set = f.Name
		case f.Nullable:
			clear = f.Name
		}
	}
	for _, f := range r.Shown() {
		values[f.Name] = r.sent(f, 0)
	}
	for _, f := range r.accepted(false) {
		if f.Name == set {
			values[set] = r.sent(f, 1)
		}
	}
	if before := values[clear]; clear != "" {
		values[clear] = nil
		if r.breaks(values) {
			values[clear], clear = before, ""
		}
	}
	for _, f := range r.accepted(false) {
		if f.Name == set || f.Name == clear {
			body = append(body, property{f.Name, values[f.Name]})
		}
	}
	if len(body) == 0 {
		return body, r.record()
	}
	return body, r.answer(values, updatedAt)
}

// answer is a record with these values, as the API writes them.
func (r resource) answer(values map[string]any, updated string) ordered {
	record := ordered{{"id", exampleID(r.Plural)}}
	for _, f := range r.Shown() {
		record = append(record, property{f.Name, canonical(f, values[f.Name])})
	}
	return append(record, property{"created_at", createdAt}, property{"updated_at", updated})
}

// sent is the n-th example of a field in its JSON type. A reference names the
// example record of its resource; one to the same resource names nothing, for it
// would need a second record.
func (r resource) sent(f fieldModel, n int) any {
	if f.Reference != nil {
		if f.Reference.Plural == r.Plural {
			return nil
		}
		return exampleID(f.Reference.Plural)
	}
	v, _ := exampleOf(f, n)
	return v
}

// exampleOf is the n-th example of a field in its JSON type.
func exampleOf(f fieldModel, n int) (any, bool) {
	switch {
	case n >= len(f.Examples):
		return nil, false
	case f.Kind.JSON == "string":
		return f.Examples[n], true
	}
	return json.RawMessage(f.Examples[n]), true
}

// canonical is a value as the API answers it.
func canonical(f fieldModel, value any) any {
	if value == nil {
		return nil
	}
	if f.Kind.JSON == "object" {
		var members map[string]any // encoding/json sorts them, as the server does
		if json.Unmarshal(value.(json.RawMessage), &members) == nil {
			return members
		}
	}
	switch f.Kind {
	case uuidKind:
		return strings.ToLower(value.(string))
	case timestamp:
		if t, err := scalar.ParseTimestamp(value.(string)); err == nil {
			return string(scalar.AppendTimestamp(nil, t))
		}
	case duration:
		if d, err := scalar.ParseDuration(value.(string)); err == nil {
			return string(scalar.AppendDuration(nil, d))
		}
	case decimal:
		if raw, ok := value.(json.RawMessage); ok {
			if d, err := scalar.ParseDecimal(string(raw)); err == nil {
				return d
			}
		}
	}
	return value
}

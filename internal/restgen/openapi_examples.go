package restgen

import (
	"encoding/binary"
	"encoding/json"
	"strings"

	"github.com/google/uuid"

	"records/internal/scalar"
)

// The times of the records in examples: of a creation and of a later update.
const (
	createdAt = "2026-11-20T09:30:00.000Z"
	updatedAt = "2026-11-20T10:15:00.000Z"
)

// exampleID is the id that a record of that name has in every example: a UUID of
// version 7, of the time of its creation.
func exampleID(name string) string {
	id := uuid.NewSHA1(uuid.Nil, []byte(name))
	var moment [8]byte
	binary.BigEndian.PutUint64(moment[:], 1795167000000) // createdAt in milliseconds
	copy(id[:6], moment[2:])
	id[6] = 0x70 | id[6]&0x0f
	return id.String()
}

// example is one example of a body or of an answer. A request and its answer go
// by the same name; a test sends the one and compares the other.
type example struct {
	name, summary string
	value         any
}

func media(examples ...example) object {
	out := object{}
	for _, e := range examples {
		out[e.name] = object{"summary": e.summary, "value": e.value}
	}
	return out
}

func createExamples(r resource) object {
	all := []example{{"full", "Every field", r.input()}}
	if least, _, ok := r.smallest(); ok {
		all = append(all, example{"smallest", "What is required, and no more", least})
	}
	return media(all...)
}

func createdExamples(r resource) object {
	all := []example{{"full", "Every field", r.record(createdAt)}}
	if _, record, ok := r.smallest(); ok {
		all = append(all, example{"smallest", "What is required, and no more", record})
	}
	return media(all...)
}

func recordExamples(r resource) object {
	return media(example{"record", "A record", r.record(createdAt)})
}

func listExamples(r resource) object {
	return media(
		example{"page", "The first page", ordered{{"data", []any{r.record(createdAt)}}, {"limit", 50}, {"offset", 0}, {"count", 1}}},
		example{"past_the_end", "A page past the end", ordered{{"data", []any{}}, {"limit", 50}, {"offset", 100}, {"count", 1}}},
	)
}

func updateExamples(r resource) object {
	changes, _ := r.change()
	return media(example{"change", "Some fields", changes}, example{"nothing", "No field", ordered{}})
}

func updatedExamples(r resource) object {
	_, changed := r.change()
	return media(example{"change", "Some fields", changed}, example{"nothing", "No field", r.record(createdAt)})
}

func deletedExamples(r resource) object {
	id := property{"id", exampleID(r.Plural)}
	return media(
		example{"removed", "The record was there", ordered{id, {"deleted", true}}},
		example{"absent", "There was nothing to remove", ordered{id, {"deleted", false}}},
	)
}

// input is a body with every field.
func (r resource) input() ordered {
	body := ordered{}
	for _, f := range r.accepted(true) {
		body = append(body, property{f.Name, r.sent(f, 0)})
	}
	return body
}

// record is the answer to input.
func (r resource) record(updated string) ordered {
	values := map[string]any{}
	for _, f := range r.Shown() {
		values[f.Name] = r.sent(f, 0)
	}
	return r.answer(values, updated)
}

// smallest is the smallest body of a create and its answer; false where the
// answer has a default that only the server can compute.
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
	return body, r.answer(values, createdAt), true
}

// change is an update that sets the first field that has another example and
// clears the last one that can be, and the record that it makes of record.
func (r resource) change() (body, record ordered) {
	set, clear := "", ""
	body, values := ordered{}, map[string]any{}
	for _, f := range r.accepted(false) {
		switch {
		case f.Reference != nil || f.Immutable || f.WriteOnly:
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
		switch f.Name {
		case set:
			values[f.Name] = r.sent(f, 1)
		case clear:
			values[f.Name] = nil
		default:
			continue
		}
		body = append(body, property{f.Name, values[f.Name]})
	}
	if len(body) == 0 {
		return body, r.record(createdAt)
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

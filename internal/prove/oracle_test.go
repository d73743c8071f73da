package prove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"records/internal/hostile"
	"records/internal/rest"
)

// record is a record as the API showed it last.
type record struct {
	raw    []byte
	fields map[string]any // numbers as json.Number
}

func parse(raw []byte) (record, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	r := record{raw: slices.Clone(raw)}
	return r, d.Decode(&r.fields)
}

func (r record) id() string {
	id, _ := r.fields["id"].(string)
	return id
}

// oracle is what one workspace must hold: a model of it that knows of no other.
type oracle struct {
	all     []resource
	records map[string]map[string]record // by plural and id
	gone    map[string][]string          // ids that were deleted of late
}

// resource is one with what is asked of it all the time.
type resource struct {
	rest.Resource
	spec       rest.Spec
	references []rest.Field
}

func resources(all rest.Resources) (list []resource) {
	for _, r := range all {
		list = append(list, resource{r, r.Spec(), hostile.References(r)})
	}
	return list
}

func newOracle(all []resource) *oracle {
	o := &oracle{all: all, records: map[string]map[string]record{}, gone: map[string][]string{}}
	for _, r := range all {
		o.records[r.spec.Plural] = map[string]record{}
	}
	return o
}

func (o *oracle) put(plural string, r record) { o.records[plural][r.id()] = r }

// remove deletes a record, and clears what referred to it. It reports whether
// it was there.
func (o *oracle) remove(plural, id string) bool {
	if _, ok := o.records[plural][id]; !ok {
		return false
	}
	delete(o.records[plural], id)
	const remembered = 20
	if o.gone[plural] = append(o.gone[plural], id); len(o.gone[plural]) > remembered {
		o.gone[plural] = o.gone[plural][1:]
	}
	for _, r := range o.all {
		for _, f := range r.references {
			for _, other := range o.records[r.spec.Plural] {
				if f.Reference == plural && other.fields[f.Name] == id {
					other.fields[f.Name] = nil
					other.raw = bytes.Replace(other.raw, fmt.Appendf(nil, `"%s":"%s"`, f.Name, id), fmt.Appendf(nil, `"%s":null`, f.Name), 1)
					o.records[r.spec.Plural][other.id()] = other
				}
			}
		}
	}
	return true
}

// ids are those of a resource's records, newest first.
func (o *oracle) ids(plural string) []string {
	ids := slices.Sorted(maps.Keys(o.records[plural]))
	slices.Reverse(ids)
	return ids
}

// page is the body of a list.
func (o *oracle) page(plural string, limit, offset int) []byte {
	ids := o.ids(plural)
	from := min(offset, len(ids))
	b := []byte(`{"data":[`)
	for i, id := range ids[from:min(from+limit, len(ids))] {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, o.records[plural][id].raw...)
	}
	return fmt.Appendf(b, `],"limit":%d,"offset":%d,"count":%d}`, limit, offset, len(ids))
}

// frozen are the immutable fields of a record that a body would change; one that
// is never shown cannot be sent back.
func (o *oracle) frozen(r resource, id string, body map[string]any) (names []string) {
	for _, f := range r.Fields() {
		value, given := body[f.Name]
		if f.Immutable && given && (f.WriteOnly || !hostile.Same(o.records[r.spec.Plural][id].fields[f.Name], value)) {
			names = append(names, f.Name)
		}
	}
	return names
}

// clashes reports whether another record of this workspace has, in every field of
// a unique index, the values that the record id would have after the body. An id
// of "" is a record to be made.
func (o *oracle) clashes(r resource, id string, body map[string]any) bool {
	if len(r.spec.Unique) == 0 {
		return false
	}
	after := maps.Clone(o.records[r.spec.Plural][id].fields)
	if after == nil {
		after = map[string]any{}
	}
	maps.Copy(after, body)
	for _, fields := range r.spec.Unique {
		for otherID, other := range o.records[r.spec.Plural] {
			if otherID != id && !slices.ContainsFunc(fields, func(name string) bool {
				return after[name] == nil || !hostile.Same(other.fields[name], after[name])
			}) {
				return true
			}
		}
	}
	return false
}

// broken is the rule that the record id would break after the body.
func (o *oracle) broken(r resource, id string, body map[string]any) string {
	after := map[string]any{}
	maps.Copy(after, o.records[r.spec.Plural][id].fields)
	maps.Copy(after, body)
	return hostile.Broken(r, after)
}

// bad are the references of a body that name no record of this workspace.
func (o *oracle) bad(r resource, body map[string]any) (names []string) {
	for _, f := range r.references {
		if id, ok := body[f.Name].(string); ok && o.records[f.Reference][id].raw == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// written returns an error unless a record shows what a body gave it, and of what
// it did not give what was there before, if it was there.
func written(r resource, got record, body map[string]any, before map[string]any) error {
	for _, f := range r.Fields() {
		value, given := body[f.Name]
		now, shown := got.fields[f.Name]
		if shown == f.WriteOnly {
			return fmt.Errorf("%s is shown: %t", f.Name, shown)
		}
		if value == nil && before == nil {
			continue // a default of the schema, of which fields do not tell, takes the place of null
		}
		if given && shown && !hostile.Same(now, value) {
			return fmt.Errorf("%s is %v, and was given %v", f.Name, now, value)
		}
		if was, there := before[f.Name]; !given && there && !hostile.Same(now, was) {
			return fmt.Errorf("%s is %v, was %v, and was not in the body", f.Name, now, was)
		}
	}
	for _, name := range []string{"id", "created_at"} {
		if before != nil && got.fields[name] != before[name] {
			return fmt.Errorf("%s is %v, was %v", name, got.fields[name], before[name])
		}
	}
	return nil
}

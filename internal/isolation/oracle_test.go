package isolation

import (
	"maps"
	"slices"

	"records/internal/rest"
)

// record is a record as the API shows it.
type record map[string]any

// oracle is what one workspace must hold: a model of it that knows of no other.
type oracle struct {
	all     rest.Resources
	records map[string]map[string]record // by plural and id
	gone    map[string][]string          // ids that were deleted
}

func newOracle(all rest.Resources) *oracle {
	o := &oracle{all, map[string]map[string]record{}, map[string][]string{}}
	for _, r := range all {
		o.records[r.Spec().Plural] = map[string]record{}
	}
	return o
}

// put takes up a record as it was answered.
func (o *oracle) put(plural string, r record) { o.records[plural][r["id"].(string)] = r }

// remove deletes a record, and clears what referred to it. It reports whether
// it was there.
func (o *oracle) remove(plural, id string) bool {
	if _, ok := o.records[plural][id]; !ok {
		return false
	}
	delete(o.records[plural], id)
	o.gone[plural] = append(o.gone[plural], id)
	for _, r := range o.all {
		for _, f := range references(r) {
			for _, other := range o.records[r.Spec().Plural] {
				if f.Reference == plural && other[f.Name] == id {
					other[f.Name] = nil
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

// frozen are the immutable fields of a record that a body would change; one that
// is never shown cannot be sent back.
func (o *oracle) frozen(r rest.Resource, id string, body map[string]any) (names []string) {
	for _, f := range r.Fields() {
		value, given := body[f.Name]
		if f.Immutable && given && (f.WriteOnly || !same(o.records[r.Spec().Plural][id][f.Name], value)) {
			names = append(names, f.Name)
		}
	}
	return names
}

// clashes reports whether another record of this workspace has, in every field of
// a unique index, the values that the record id would have after the body. An id
// of "" is a record to be made.
func (o *oracle) clashes(r rest.Resource, id string, body map[string]any) bool {
	after := maps.Clone(o.records[r.Spec().Plural][id])
	if after == nil {
		after = record{}
	}
	maps.Copy(after, body)
	for _, fields := range r.Spec().Unique {
		for otherID, other := range o.records[r.Spec().Plural] {
			if otherID != id && !slices.ContainsFunc(fields, func(name string) bool {
				return after[name] == nil || !same(other[name], after[name])
			}) {
				return true
			}
		}
	}
	return false
}

// bad are the references of a body that name no record of this workspace.
func (o *oracle) bad(r rest.Resource, body map[string]any) (names []string) {
	for _, f := range references(r) {
		if id, ok := body[f.Name].(string); ok && o.records[f.Reference][id] == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

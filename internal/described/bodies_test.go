package described

import (
	"encoding/json"
	"slices"
	"testing"

	"records/internal/load"
	"records/internal/rest"
	"records/internal/servertest"
)

// faulty is the body of the example of validation_failed: nothing on create, null
// on update; where nothing is required, a name that is no field's.
func (w world) faulty(t *testing.T, o described) map[string]any {
	t.Helper()
	fields, properties, nearest := w.fields(t, o), w.input(o.operation).Properties, ""
	for _, f := range fields {
		if f.Required && o.method == "POST" {
			return map[string]any{}
		}
		if f.Required && !properties[f.Name].fixed(o) {
			return map[string]any{f.Name: nil}
		}
	}
	if len(fields) > 0 {
		nearest = fields[0].Name
	}
	return map[string]any{nearest + "_": 1}
}

// lost sends a reference to no record.
func (w world) lost(t *testing.T, who tenant, o described) servertest.Response {
	t.Helper()
	body, path := map[string]any{}, o.path
	if o.method == "POST" {
		body = w.plain(t, o.plural)
	} else {
		path = "/" + o.plural + "/" + w.create(t, who, o.plural, text(t, w.plain(t, o.plural)))
	}
	for _, f := range w.fields(t, o) {
		if f.Reference != "" && !w.input(o.operation).Properties[f.Name].fixed(o) {
			body[f.Name] = absent
			return who.write.Do(o.method, path, body)
		}
	}
	t.Fatalf("%s has no reference", o.plural)
	return servertest.Response{}
}

// clash sends what another record has in every field.
func (w world) clash(t *testing.T, who tenant, o described) servertest.Response {
	t.Helper()
	r, _ := w.all.Find(o.plural)
	made := w.needed(t, who, r)
	body := load.Example(r, 0, made)
	w.create(t, who, o.plural, text(t, body))
	if o.method == "POST" {
		return who.write.Do("POST", o.path, body)
	}
	for _, f := range r.Fields() {
		if f.Immutable {
			delete(body, f.Name)
		}
	}
	other := neighbour(r, load.Example(r, 1, made), load.Example(r, 0, made))
	return who.write.Do("PATCH", "/"+o.plural+"/"+w.create(t, who, o.plural, text(t, other)), body)
}

// neighbour makes a body have what no update can change in common with one that an
// update of it is to clash with, where more than that must differ.
func neighbour(r rest.Resource, body, with map[string]any) map[string]any {
	fixed := map[string]bool{}
	for _, f := range r.Fields() {
		fixed[f.Name] = f.Immutable
	}
	i := slices.IndexFunc(r.Spec().Unique, func(names []string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return !fixed[name] })
	})
	if i < 0 {
		return body
	}
	for _, name := range r.Spec().Unique[i] {
		if v, ok := with[name]; ok && fixed[name] {
			body[name] = v
		}
	}
	return body
}

// needed makes two records for each reference that is part of a unique index, since
// records without it do not clash, and those with the same one always do.
func (w world) needed(t *testing.T, who tenant, r rest.Resource) map[string][]string {
	t.Helper()
	made := map[string][]string{}
	for _, f := range r.Fields() {
		unique := slices.ContainsFunc(r.Spec().Unique, func(names []string) bool { return slices.Contains(names, f.Name) })
		if target, ok := w.all.Find(f.Reference); ok && unique && made[f.Reference] == nil {
			for i := range 2 {
				made[f.Reference] = append(made[f.Reference], w.create(t, who, f.Reference, text(t, load.Example(target, 2+i, nil))))
			}
		}
	}
	return made
}

// change is the body of the example of an update, without references.
func (w world) change(t *testing.T, o described) (body map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(texts(o.RequestBody.Content["application/json"])["change"]), &body); err != nil {
		t.Fatal(err)
	}
	return body
}

func (w world) fields(t *testing.T, o described) []rest.Field {
	t.Helper()
	r, ok := w.all.Find(o.plural)
	if !ok {
		t.Fatalf("there are no %s", o.plural)
	}
	return r.Fields()
}

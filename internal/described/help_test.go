package described

import (
	"context"
	"encoding/json"
	"testing"

	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/hostile"
	"records/internal/load"
	"records/internal/rest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// absent is the id of no record.
const absent = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"

// world is a running server and the resources that it serves.
type world struct {
	*servertest.Server
	document
	all rest.Resources
}

func each(t *testing.T, f func(t *testing.T, w world), options ...servertest.Option) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db, options...)
		f(t, world{s, read(t), entrest.Resources(s.Ent)})
	})
}

// tenant is a workspace, and two keys of it.
type tenant struct {
	write, read *servertest.Client
	ctx         context.Context // in which records are made below HTTP
}

func (w world) tenant(t *testing.T) tenant {
	t.Helper()
	id := w.Workspace(t)
	v := viewer.Viewer{Workspace: id, Scope: viewer.Write}
	return tenant{w.Key(t, id, viewer.Write), w.Key(t, id, viewer.Read), viewer.NewContext(t.Context(), v)}
}

// create makes a record below HTTP, where read-only resources can be made too.
func (w world) create(t *testing.T, who tenant, plural, body string) string {
	t.Helper()
	r, ok := w.all.Find(plural)
	if !ok {
		t.Fatalf("there are no %s", plural)
	}
	created, err := r.Create(who.ctx, w.all, []byte(body))
	if err != nil {
		t.Fatalf("%s: %v: %s", plural, err, body)
	}
	return servertest.Response{Body: created}.ID(t)
}

// plain is a valid body of a resource that refers to nothing.
func (w world) plain(t *testing.T, plural string) map[string]any {
	t.Helper()
	r, _ := w.all.Find(plural)
	body := load.Example(r, 0, nil)
	for _, f := range r.Fields() {
		if !f.Required && !hostile.Ruled(r, f.Name) {
			delete(body, f.Name)
		}
	}
	return body
}

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

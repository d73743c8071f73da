package isolation

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/internal/hostile"
	"records/internal/rest"
)

// operation is one request about a record.
type operation struct {
	name, method, suffix string
	body                 func(r rest.Resource, id string, w *world) any
	headers              []string
	forms                []string // of the id; nil is the two that matter most
}

func operations() []operation {
	all := slices.Sorted(maps.Keys(hostile.Forms))
	patch := func(body string) func(rest.Resource, string, *world) any {
		return func(_ rest.Resource, id string, _ *world) any { return strings.ReplaceAll(body, "ID", id) }
	}
	return []operation{
		{name: "get", method: http.MethodGet, forms: all},
		{name: "head", method: http.MethodHead},
		{name: "get with a query", method: http.MethodGet, suffix: "?limit=1"},
		{name: "options", method: http.MethodOptions},
		{name: "post", method: http.MethodPost, body: patch(`{}`)},
		{name: "put", method: http.MethodPut, body: patch(`{}`)},
		{name: "patch nothing", method: http.MethodPatch, body: patch(`{}`)},
		{name: "patch ignored", method: http.MethodPatch, body: patch(`{"id":"ID","created_at":"x","updated_at":"y"}`)},
		{name: "patch unknown", method: http.MethodPatch, body: patch(`{"workspace_id":"ID"}`)},
		{name: "patch malformed", method: http.MethodPatch, body: patch(`{"`)},
		{name: "patch a text", method: http.MethodPatch, body: patch(`text`), headers: []string{"Content-Type", "text/plain"}},
		{name: "patch all", method: http.MethodPatch, forms: all, body: func(r rest.Resource, _ string, w *world) any {
			return w.thief.body(r, w.thief.ids)
		}},
		{name: "patch with references of the owner", method: http.MethodPatch, body: func(r rest.Resource, _ string, w *world) any {
			return w.thief.body(r, w.owner.ids)
		}},
		{name: "merge patch", method: http.MethodPatch, headers: []string{"Content-Type", "application/merge-patch+json"},
			body: func(r rest.Resource, _ string, w *world) any { return w.thief.body(r, nil) }},
		{name: "delete", method: http.MethodDelete, forms: all},
		{name: "delete with a body", method: http.MethodDelete, body: patch(`{"id":"ID"}`)},
		{name: "delete with a query", method: http.MethodDelete, suffix: "?force=true"},
	}
}

// For every resource, operation and form of the id in the path: the answer for
// another workspace's record is to the byte the answer for one that does not
// exist, and the record stays as it is.
func TestForeignRecordIsAbsent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, r := range w.all {
			plural := r.Spec().Plural
			foreign, absent := w.owner.ids[plural][2], uuid.Must(uuid.NewV7()).String()
			for _, o := range operations() {
				w.unchanged(t, func() {
					for _, form := range formsOf(o) {
						ask := func(id string) string {
							var body any
							if o.body != nil {
								body = o.body(r, id, w)
							}
							res := w.thief.Do(o.method, "/"+plural+"/"+hostile.Forms[form](id)+o.suffix, body, o.headers...)
							silent(t, plural+" "+o.name+" "+form, res, w.owner, id)
							return plain(res)
						}
						if got, want := ask(foreign), ask(absent); got != want {
							t.Errorf("%s, %s, id %s:\nforeign: %s\nabsent:  %s", plural, o.name, form, got, want)
						}
					}
				})
			}
		}
	})
}

func formsOf(o operation) []string {
	if o.forms == nil {
		return []string{"lower", "upper"}
	}
	return o.forms
}

// An own record is there in every well-formed form of its id: what the tests
// above find absent is not absent to everyone.
func TestOwnRecordIsThere(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for plural, ids := range w.owner.ids {
			for _, form := range hostile.WellFormed {
				if res := w.owner.Do(http.MethodGet, "/"+plural+"/"+hostile.Forms[form](ids[2]), nil); res.Status != http.StatusOK {
					t.Errorf("%s, id %s: %d %s", plural, form, res.Status, res.Body)
				}
			}
		}
	})
}

// Another resource's path does not reach the record either, own or not.
func TestIDOfAnotherResource(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.unchanged(t, func() {
			for _, r := range w.all {
				for plural, ids := range w.owner.ids {
					for _, method := range []string{http.MethodGet, http.MethodDelete} {
						res := w.thief.Do(method, "/"+r.Spec().Plural+"/"+ids[2], nil)
						silent(t, method+" "+plural+" under "+r.Spec().Plural, res, w.owner, ids[2])
					}
				}
			}
		})
	})
}

// Every reference of every resource, on create and on update, answers for the
// owner's record what it answers for none, and nothing is written.
func TestForeignReferenceIsAbsent(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, r := range w.all {
			plural := r.Spec().Plural
			for _, f := range hostile.References(r) {
				for _, form := range []string{"lower", "upper", "bare", "braces", "urn"} {
					foreign := hostile.Forms[form](w.owner.ids[f.Reference][2])
					absent := hostile.Forms[form](uuid.Must(uuid.NewV7()).String())
					w.unchanged(t, func() {
						before := w.dump(t, w.thief)
						for op, do := range map[string]func(id string) string{
							"create": func(id string) string { return w.refer(t, r, f, id, http.MethodPost, "/"+plural) },
							"update": func(id string) string {
								return w.refer(t, r, f, id, http.MethodPatch, "/"+plural+"/"+w.thief.ids[plural][2])
							},
							"load": func(id string) string { return w.loadReference(r, f, id) },
						} {
							if got, want := do(foreign), do(absent); got != want {
								t.Errorf("%s %s.%s, id %s:\nforeign: %s\nabsent:  %s", op, plural, f.Name, form, got, want)
							}
						}
						if w.dump(t, w.thief) != before {
							t.Errorf("%s.%s: a refused reference left something behind", plural, f.Name)
						}
					})
				}
			}
		}
	})
}

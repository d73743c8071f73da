package isolation

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/google/uuid"

	"records/internal/hostile"
	"records/internal/rest"
	"records/internal/servertest"
)

// refer sends a valid body with one reference set to an id. It must be refused.
func (w *world) refer(t *testing.T, r rest.Resource, f rest.Field, id, method, path string) string {
	t.Helper()
	body := w.thief.body(r, w.thief.ids)
	if method == http.MethodPatch {
		body = hostile.Mutable(r, body)
	}
	body[f.Name] = id
	res := w.thief.Do(method, path, body)
	if want := http.StatusBadRequest; !r.Spec().ReadOnly && res.Status != want {
		t.Errorf("%s %s with %s %s: %d, want %d", method, path, f.Name, id, res.Status, want)
	}
	silent(t, method+" "+path+" "+f.Name, res, w.owner, id)
	return plain(res)
}

// loadReference brings a body in as an import does, which is how the resources
// that the API only reads get their records.
func (w *world) loadReference(r rest.Resource, f rest.Field, id string) string {
	good := w.thief.body(r, w.thief.ids)
	bad := w.thief.body(r, w.thief.ids)
	bad[f.Name] = id
	first, _ := json.Marshal(good)
	second, _ := json.Marshal(bad)
	one := w.load(r, first, second)
	_, two := r.Create(w.thief.ctx, w.all, second)
	return plain(servertest.Response{Body: []byte(fmt.Sprint(one, " ", two))})
}

// load brings bodies in as an import does, the first fault ends it.
func (w *world) load(r rest.Resource, raw ...[]byte) error {
	read, bodies := r.Reader(), []rest.Body(nil)
	for _, b := range raw {
		body, err := read(b)
		if err != nil {
			return err
		}
		bodies = append(bodies, body)
	}
	return r.Load(w.thief.ctx, w.all, bodies)
}

// Neither a body's id or workspace, nor a query, nor a header chooses another
// record or workspace than the path and the key do.
func TestOnlyPathAndKeyChoose(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, r := range w.all {
			plural := r.Spec().Plural
			foreign, absent := w.owner.ids[plural][2], uuid.Must(uuid.NewV7()).String()
			w.unchanged(t, func() {
				for _, header := range []string{
					"X-Workspace-Id", "X-Workspace", "X-Tenant-Id", "X-Api-Key", "X-Original-Url", "X-Rewrite-Url",
					"X-Http-Method-Override", "X-Forwarded-User", "Cookie", "Idempotency-Key",
				} {
					for _, value := range []string{w.owner.id.String(), foreign, w.owner.Token, "DELETE"} {
						res := w.thief.Do(http.MethodGet, "/"+plural, nil, header, value)
						if got, want := string(res.Body), string(w.thief.Do(http.MethodGet, "/"+plural, nil).Body); got != want {
							t.Errorf("%s: the header %s changed the answer: %s", plural, header, got)
						}
					}
				}
				for _, name := range []string{"workspace_id", "workspace", "id", "key", "_method", "filter[workspace_id]"} {
					for _, path := range []string{"/" + plural, "/" + plural + "/" + w.thief.ids[plural][0], "/" + plural + "/" + foreign} {
						got := w.thief.Do(http.MethodGet, path+"?"+name+"="+w.owner.id.String(), nil)
						want := w.thief.Do(http.MethodGet, path+"?"+name+"="+absent, nil)
						if plain(got) != plain(want) || got.Status != http.StatusBadRequest {
							t.Errorf("GET %s with the query %s: %s", path, name, plain(got))
						}
					}
				}
				for _, id := range []string{foreign, absent} {
					body := w.thief.body(r, nil) // where a reference is unique, none is left
					body["id"] = id
					res := w.thief.Do(http.MethodPost, "/"+plural, body)
					if !r.Spec().ReadOnly && (res.Status != http.StatusCreated || res.ID(t) == id) {
						t.Errorf("%s: a create with an id of its own: %d %s", plural, res.Status, res.Body)
					}
					body["workspace_id"] = w.owner.id
					if res := w.thief.Do(http.MethodPost, "/"+plural, body); !r.Spec().ReadOnly && res.Status != http.StatusBadRequest {
						t.Errorf("%s: a create with a workspace: %d %s", plural, res.Status, res.Body)
					}
				}
			})
		}
	})
}

// A list holds the caller's records, all of them and no others, however it is
// paged, and its count is theirs.
func TestListsHoldOnlyOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, r := range w.all {
			plural := r.Spec().Plural
			own := slices.Clone(w.thief.ids[plural])
			slices.Sort(own)
			slices.Reverse(own)
			for offset := range len(own) + 2 {
				for _, limit := range []int{1, 2, 200} {
					path := fmt.Sprintf("/%s?limit=%d&offset=%d", plural, limit, offset)
					res := w.thief.Do(http.MethodGet, path, nil)
					silent(t, path, res, w.owner)
					var page struct {
						Data  []struct{ ID string }
						Count int
					}
					if err := json.Unmarshal(res.Body, &page); err != nil {
						t.Fatal(err)
					}
					var got []string
					for _, d := range page.Data {
						got = append(got, d.ID)
					}
					from := min(offset, len(own))
					if want := own[from:min(from+limit, len(own))]; !slices.Equal(got, want) || page.Count != len(own) {
						t.Errorf("%s: %v of %d, want %v of %d", path, got, page.Count, want, len(own))
					}
				}
			}
		}
	})
}

package isolation

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/google/uuid"

	"records/ent/recordcount"
)

// Whatever part of a list is asked for, its count is that of the key's own
// workspace: not the owner's, not both together, also where the two have very
// different numbers and where someone has planted counts for the owner.
func TestCountIsOnesOwn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for i, r := range w.all {
			plural := r.Spec().Plural
			for range 3 + i { // the owner has more
				w.owner.ids[plural] = append(w.owner.ids[plural], w.create(t, w.owner, r, w.owner.body(r, nil)))
			}
			plant := fmt.Sprintf("INSERT INTO %s (workspace_id, resource, slot, n) VALUES ('%s', '%s', 77, 1000)", recordcount.Table, w.owner.id, r.Spec().Table)
			if _, err := w.db.SQL().ExecContext(t.Context(), plant); err != nil {
				t.Fatal(err)
			}
			own := len(w.thief.ids[plural])
			for _, offset := range []int{0, 1, own - 1, own, own + 1, own + 3, len(w.owner.ids[plural]) + 1, 1<<63 - 1} {
				res := w.thief.Do(http.MethodGet, fmt.Sprintf("/%s?limit=200&offset=%d", plural, offset), nil)
				silent(t, fmt.Sprintf("%s from %d", plural, offset), res, w.owner)
				var list struct {
					Data  []any
					Count int
				}
				if err := json.Unmarshal(res.Body, &list); err != nil || list.Count != own || len(list.Data) != max(0, own-offset) {
					t.Errorf("%s from %d: %d %s; want %d in all", plural, offset, res.Status, res.Body, own)
				}
			}
		}
	})
}

// The counts have no path of their own, under any name that one could guess.
func TestCountsHaveNoPath(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		absent := plain(w.thief.Do(http.MethodGet, "/no_such_thing", nil))
		for _, path := range []string{"/record_counts", "/record-counts", "/recordcounts", "/counts", "/count", "/RecordCount"} {
			for _, suffix := range []string{"", "/" + w.owner.id.String(), "/" + uuid.Nil.String(), "/0", "?workspace_id=" + w.owner.id.String()} {
				if got := plain(w.thief.Do(http.MethodGet, path+suffix, nil)); got != absent {
					t.Errorf("%s%s: %s", path, suffix, got)
				}
			}
		}
		for _, r := range w.all {
			for _, path := range []string{"/count", "/counts"} {
				res := w.thief.Do(http.MethodGet, "/"+r.Spec().Plural+path, nil)
				silent(t, path, res, w.owner)
				if res.Status != http.StatusNotFound {
					t.Errorf("%s%s: %d %s", r.Spec().Plural, path, res.Status, res.Body)
				}
			}
		}
	})
}

package isolation

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"records/internal/hostile"
	"records/internal/rest"
)

// The same id in both workspaces, as after a restore by hand: every operation
// reaches the caller's record alone, and a delete clears no reference of the
// other's.
func TestSameIDInBoth(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.copyOwner(t)
		for _, r := range w.all {
			w.unchanged(t, func() { w.useSameID(t, r, w.owner.ids[r.Spec().Plural][2]) })
		}
		for _, r := range w.all {
			plural := r.Spec().Plural
			for _, id := range w.owner.ids[plural] {
				if r.Spec().ReadOnly {
					continue
				}
				w.unchanged(t, func() {
					for _, want := range []string{"true", "false"} {
						res := w.thief.Do(http.MethodDelete, "/"+plural+"/"+id, nil)
						if got := fmt.Sprintf(`{"id":%q,"deleted":%s}`, id, want); string(res.Body) != got {
							t.Errorf("%s: %s, want %s", plural, res.Body, got)
						}
					}
					if res := w.thief.Do(http.MethodGet, "/"+plural+"/"+id, nil); res.Status != http.StatusNotFound {
						t.Errorf("%s: %d after it was deleted", plural, res.Status)
					}
					if res := w.owner.Do(http.MethodGet, "/"+plural+"/"+id, nil); res.Status != http.StatusOK {
						t.Errorf("%s: the owner gets %d after another's delete", plural, res.Status)
					}
				})
			}
		}
	})
}

// useSameID gets, lists and updates the thief's record, each field in turn.
func (w *world) useSameID(t *testing.T, r rest.Resource, id string) {
	t.Helper()
	path := "/" + r.Spec().Plural + "/" + id
	own := w.thief.body(r, nil)
	if !r.Spec().ReadOnly {
		for _, f := range r.Fields() {
			value, given := own[f.Name]
			if !given || f.Immutable {
				continue
			}
			res := w.thief.Do(http.MethodPatch, path, map[string]any{f.Name: value})
			if got := res.JSON(t)[f.Name]; res.Status != http.StatusOK || !f.WriteOnly && !hostile.Same(got, value) {
				t.Errorf("%s: %s is %v after the update to %v", path, f.Name, got, value)
			}
		}
	}
	for name := range hostile.Mutable(r, own) {
		mine, theirs := w.thief.Do(http.MethodGet, path, nil).JSON(t), w.owner.Do(http.MethodGet, path, nil).JSON(t)
		if s, ok := own[name].(string); ok && strings.HasPrefix(s, w.thief.canary) && !r.Spec().ReadOnly && mine[name] != nil && mine[name] == theirs[name] {
			t.Errorf("%s: both have %s %v", path, name, mine[name])
		}
	}
	if n := len(w.thief.Do(http.MethodGet, "/"+r.Spec().Plural+"?limit=200", nil).JSON(t)["data"].([]any)); n != 8 {
		t.Errorf("%s: %d are listed, want the own 4 and the 4 copies", path, n)
	}
}

// copyOwner puts a copy of each of the owner's records, its id with it, into
// the thief's workspace: first without references, then with them.
func (w *world) copyOwner(t *testing.T) {
	t.Helper()
	run := func(statement string) {
		if _, err := w.db.SQL().ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	for _, r := range w.all {
		columns := `"` + strings.Join(w.columns(t, r), `", "`) + `"`
		run(fmt.Sprintf("INSERT INTO %s (workspace_id, %s) SELECT (SELECT id FROM workspaces WHERE id = '%[3]s'), %[2]s FROM %[1]s WHERE workspace_id = '%[4]s'",
			r.Spec().Table, columns, w.thief.id, w.owner.id))
	}
	for _, r := range w.all {
		for _, f := range hostile.References(r) {
			run(fmt.Sprintf("UPDATE %s SET %q = (SELECT %[2]q FROM %[1]s AS own WHERE own.workspace_id = '%[3]s' AND own.id = %[1]s.id)"+
				" WHERE workspace_id = '%[4]s' AND id IN (SELECT id FROM %[1]s WHERE workspace_id = '%[3]s')",
				r.Spec().Table, f.Name, w.owner.id, w.thief.id))
		}
	}
}

// columns are those of a resource but its workspace and its references, with
// those that the API does not show.
func (w *world) columns(t *testing.T, r rest.Resource) []string {
	t.Helper()
	rows, err := w.db.SQL().QueryContext(t.Context(), "SELECT * FROM "+r.Spec().Table+" LIMIT 0")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(all, func(name string) bool {
		return name == "workspace_id" || slices.ContainsFunc(hostile.References(r), func(f rest.Field) bool { return f.Name == name })
	})
}

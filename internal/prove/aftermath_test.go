package prove

import (
	"slices"
	"strings"
	"testing"

	"records/internal/dbtest"
	"records/internal/doctor"
)

// everything fails unless all that a run is for has happened in it: a suite that no
// longer does what it says would find nothing.
func (w *world) everything(t *testing.T) {
	t.Helper()
	t.Log(w.watch.tally)
	often := []string{
		"GET 200", "GET 401", "GET 404", "HEAD 200", "POST 201", "POST 400", "POST 401", "POST 403", "POST 405",
		"PATCH 200", "PATCH 400", "PATCH 403", "PATCH 404", "PATCH 405", "DELETE 200", "DELETE 403", "abandoned",
	}
	seldom := []string{"GET 400", "compressed", "deletes at once", "imported", "import refused", "keys changed"}
	for i, what := range slices.Concat(often, seldom) {
		enough := int64(2000) // requests, for it to have happened many times
		if i >= len(often) {
			enough = 20_000
		}
		if *operations >= enough && w.watch.tally[what] == 0 {
			t.Errorf("in %d requests there was no %q", w.done.Load(), what)
		}
	}
}

// aftermath holds the database against the models, row by row, and the log against
// what must not be in it.
func (w *world) aftermath(t *testing.T) {
	t.Helper()
	spaces := map[string]*space{}
	for _, s := range w.spaces {
		spaces[s.id.String()] = s
	}
	for _, r := range w.all {
		columns, rows := dbtest.Table(t, w.db, "SELECT * FROM "+r.spec.Table)
		id, workspace := slices.Index(columns, "id"), slices.Index(columns, "workspace_id")
		left := map[*space]int{}
		for _, row := range rows {
			s := spaces[row[workspace]]
			if s == nil || s.oracle.records[r.spec.Plural][row[id]].raw == nil {
				t.Errorf("%s: a row that no model has: %v", r.spec.Table, row)
				continue
			}
			left[s]++
			row[workspace] = ""
			if err := w.watch.leak(s, "", strings.Join(row, "\x00")); err != nil {
				t.Errorf("%s: a row of %s: %v: %v", r.spec.Table, s.canary, err, row)
			}
		}
		for _, s := range w.spaces {
			if want := len(s.oracle.records[r.spec.Plural]); left[s] != want {
				t.Errorf("%s: %d rows of %s, want %d", r.spec.Table, left[s], s.canary, want)
			}
		}
	}
	faults, err := doctor.Examine(t.Context(), w.db, false)
	if err != nil || len(faults) > 0 {
		t.Errorf("the doctor finds %v, %v", faults, err)
	}
	w.journal.mu.Lock()
	defer w.journal.mu.Unlock()
	if w.journal.fault != "" {
		t.Errorf("the log holds what a client sent, or a token: %s", w.journal.fault)
	}
}

package diff_test

import (
	"slices"
	"testing"

	"records/migrate/diff"
)

// What make migration refuses to do at once can be done one after the other.
func TestNamesMoveOnInTwoMigrations(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	before := map[string][]string{}
	for d, db := range l.dbs {
		run(t, db, "UPDATE tasks SET status = 'a', priority = 'b' WHERE status IS NULL")
		before[d] = dump(t, db, "tasks", []string{"status", "priority"})
	}
	l.evolve(t, "because", func(d *diff.Declaration) {
		columnOf(d, "tasks.status").Name = "lab_state"
		d.Renames["tasks.lab_state"] = "status"
	})
	l.evolve(t, "because", func(d *diff.Declaration) {
		columnOf(d, "tasks.priority").Name = "status"
		d.Renames = map[string]string{"tasks.status": "priority"}
	})
	for d, db := range l.dbs {
		if after := dump(t, db, "tasks", []string{"lab_state", "status"}); len(after) == 0 || !slices.Equal(after, before[d]) {
			t.Errorf("%s: %q; want %q", d, after, before[d])
		}
	}
}

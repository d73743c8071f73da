package doctor

import (
	"maps"
	"slices"
	"testing"
)

// What a migration makes is known by its name, also by one that needs quotes.
func TestWritten(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"tasks", "tâches", "my-tasks", "tasks$2026", "Tasks"} {
		for _, q := range []string{`"`, "`"} {
			table := q + name + q
			trigger, index := q+name+"_count_insert"+q, q+name+"_by_day"+q
			made := []string{"CREATE TRIGGER " + trigger + " AFTER INSERT ON " + table + " FOR EACH ROW BEGIN SELECT 1; END", "CREATE INDEX " + index + " ON " + table + " (" + q + "day" + q + ")"}
			triggers, indexes := written(made), writtenIndexes(made)
			if triggers[name+"_count_insert"].table != name || indexes[name+"_by_day"].table != name {
				t.Errorf("%s: triggers %v, indexes %v", table, slices.Collect(maps.Keys(triggers)), indexes)
			}
			for _, gone := range []string{"DROP TRIGGER " + trigger, "DROP TABLE " + table} {
				if left := written(append(made, gone)); len(left) > 0 {
					t.Errorf("%s leaves %v", gone, slices.Collect(maps.Keys(left)))
				}
			}
		}
	}
}

// PostgreSQL drops an index with a column of it, and none of another table or column.
func TestWrittenIndexesOfADroppedColumn(t *testing.T) {
	t.Parallel()
	left := writtenIndexes([]string{
		`CREATE INDEX "tasks_by_day" ON "tasks" ("workspace_id", "day")`, `CREATE INDEX "tasks_open" ON "tasks" ("id") WHERE "day" IS NULL`,
		`CREATE INDEX "tasks_by_daytime" ON "tasks" ("daytime")`, `CREATE INDEX "deals_by_day" ON "deals" ("day")`,
		`ALTER TABLE "tasks" ADD COLUMN "date" date NULL, DROP COLUMN "day"`,
	})
	if names := slices.Sorted(maps.Keys(left)); !slices.Equal(names, []string{"deals_by_day", "tasks_by_daytime"}) {
		t.Error(names)
	}
}

// The columns of an index are known by their later names; those of an expression are not.
func TestColumnsOfWrittenIndexes(t *testing.T) {
	t.Parallel()
	for _, q := range []string{`"`, "`"} {
		table, day := q+"tasks"+q, q+"day"+q
		made := writtenIndexes([]string{
			"CREATE INDEX " + q + "a" + q + " ON " + table + " (" + q + "id" + q + ", " + day + " DESC) WHERE (" + day + " IS NOT NULL)",
			"CREATE INDEX CONCURRENTLY " + q + "b" + q + " ON " + table + " USING btree (" + day + ")",
			"CREATE INDEX " + q + "c" + q + " ON " + table + " ((lower(" + day + ")), " + q + "id" + q + ")",
			"ALTER TABLE " + table + " RENAME COLUMN " + day + " TO " + q + "date" + q,
		})
		for name, want := range map[string][]string{"a": {"id", "date"}, "b": {"date"}, "c": nil} {
			if got := made[name].columns; !slices.Equal(got, want) {
				t.Errorf("%s is over %q, want %q", name, got, want)
			}
		}
		left := writtenIndexes([]string{"CREATE INDEX a ON tasks (day)", "ALTER TABLE tasks RENAME COLUMN day TO date", "ALTER TABLE tasks DROP COLUMN date"})
		if len(left) > 0 {
			t.Errorf("%v is left of a column that was renamed and dropped", left)
		}
	}
}

package diff_test

import (
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/recordcount"
	entrest "records/ent/rest"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/viewer"
	"records/migrate/diff"
)

// When a record is deleted, what refers to it stays, and its reference alone
// becomes null: by a trigger on SQLite, by the foreign key on PostgreSQL.
func TestDeleteClearsReferences(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		tables, err := diff.Tables(db.Dialect())
		if err != nil {
			t.Fatal(err)
		}
		fill(t, db)
		references := 0
		for _, target := range entrest.Resources(nil) {
			table := target.Spec().Table
			before := counts(t, db, tables)
			for _, r := range referring(tables, table) {
				references++
				// What the API does not take, the demo has not set.
				run(t, db, "UPDATE "+r.table+" SET "+r.column+" = (SELECT id FROM "+table+" AS target WHERE target.workspace_id = "+r.table+".workspace_id LIMIT 1) WHERE "+r.first("before."+r.column+" IS NOT NULL OR "))
				if count(t, db, r.table+" WHERE "+r.column+" IS NOT NULL") == 0 {
					t.Errorf("no %s to test in %s", r.column, r.table)
				}
			}
			run(t, db, "DELETE FROM "+table)
			for _, r := range referring(tables, table) {
				if n := count(t, db, r.table+" WHERE "+r.column+" IS NOT NULL"); n != 0 {
					t.Errorf("%d of %s still refer to %s", n, r.table, table)
				}
			}
			for name, n := range counts(t, db, tables) {
				if want := before[name]; name != table && n != want {
					t.Errorf("deleting %s left %d of %d %s", table, n, want, name)
				}
			}
			fill(t, db)
		}
		if references < 8 {
			t.Errorf("only %d references were tested", references)
		}
	})
}

// On PostgreSQL each foreign key names the one column to set to null, so that
// the workspace is never set to null.
func TestSetNullNamesItsColumn(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.Postgres)
	if n := count(t, db, "pg_constraint WHERE contype = 'f' AND confdeltype = 'n' AND cardinality(confdelsetcols) = 1"); n < 8 {
		t.Errorf("%d foreign keys name the column to set to null", n)
	}
	if n := count(t, db, "pg_constraint WHERE contype = 'f' AND confdeltype = 'n' AND cardinality(confdelsetcols) IS DISTINCT FROM 1"); n != 0 {
		t.Errorf("%d foreign keys set the workspace to null", n)
	}
}

// fill makes a workspace of demo records.
func fill(t *testing.T, db *database.DB) {
	t.Helper()
	client := ent.NewClient(ent.Driver(db.Driver()))
	w, err := client.Workspace.Create().SetName(uuid.NewString()).Save(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	tx, err := client.Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load.Demo(viewer.NewContext(t.Context(), viewer.Viewer{Workspace: w.ID, Scope: viewer.Write}), tx.Client()); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

type reference struct{ table, column string }

// first is the condition that a row is the first of its workspace: two with the same
// reference may be one too many. No row is, where one of it meets unless.
func (r reference) first(unless string) string {
	return "NOT EXISTS (SELECT 1 FROM " + r.table + " AS before WHERE before.workspace_id = " + r.table + ".workspace_id AND (" + unless + "before.id < " + r.table + ".id))"
}

// referring are the references to a table.
func referring(tables []*schema.Table, target string) []reference {
	var all []reference
	for _, t := range tables {
		for _, fk := range t.ForeignKeys {
			if fk.RefTable.Name == target && len(fk.Columns) == 2 {
				all = append(all, reference{t.Name, fk.Columns[1].Name})
			}
		}
	}
	return all
}

func counts(t *testing.T, db *database.DB, tables []*schema.Table) map[string]int {
	t.Helper()
	all := map[string]int{}
	for _, table := range tables {
		if table.Name == recordcount.Table {
			continue // not rows of anyone, but how many there are
		}
		all[table.Name] = count(t, db, table.Name)
	}
	return all
}

func count(t *testing.T, db *database.DB, from string) int {
	t.Helper()
	var n int
	if err := db.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM "+from).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A record that others of its own table refer to goes alone, even if it refers
// to itself.
func TestDeleteClearsSelfReferences(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.evolve(t, "", func(d *diff.Declaration) { refer(d, "tasks", "parent_id", "tasks") })
	for d, db := range l.dbs {
		run(t, db, "UPDATE tasks SET parent_id = (SELECT min(CAST(id AS text)) FROM tasks AS x WHERE x.workspace_id = tasks.workspace_id)"+
			map[string]string{dialect.Postgres: "::uuid", dialect.SQLite: ""}[d])
		all := count(t, db, "tasks")
		run(t, db, "DELETE FROM tasks WHERE id = parent_id")
		if n := count(t, db, "tasks WHERE parent_id IS NULL AND workspace_id IS NOT NULL"); n != all-2 || all < 6 {
			t.Errorf("%s: of %d tasks, %d are left without a parent", d, all, n)
		}
	}
}

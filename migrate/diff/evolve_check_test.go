package diff_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"records/ent/recordcount"
	"records/internal/database"
	keep "records/migrate/counts"
	"records/migrate/diff"
)

// contents is what each table has in each of its columns, by dialect and name.
func (l *lab) contents(t *testing.T) map[string]map[string][]string {
	t.Helper()
	all := map[string]map[string][]string{}
	for d, db := range l.dbs {
		all[d] = map[string][]string{}
		for _, table := range l.declaration.Tables {
			if table.Name == recordcount.Table {
				continue // see counted
			}
			for _, c := range table.Columns {
				all[d][table.Name+"."+c.Name] = dump(t, db, table.Name, []string{c.Name})
			}
		}
	}
	return all
}

// kept holds every column that is still declared against what was in it, but
// for those that were empty.
func (l *lab) kept(t *testing.T, before map[string]map[string][]string) {
	t.Helper()
	for d, after := range l.contents(t) {
		compared := 0
		for name, rows := range after {
			former := name
			if old := l.declaration.Renames[name]; old != "" {
				former = name[:strings.Index(name, ".")+1] + old
			}
			old, ok := before[d][former]
			if !ok {
				continue
			}
			compared += len(rows)
			if _, filled := l.declaration.Backfills[name]; filled {
				for i := range old {
					if old[i] == "|null" && rows[i] != "|null" {
						old[i] = rows[i]
					}
				}
			}
			if !slices.Equal(rows, old) {
				t.Errorf("%s: %s had %q and has %q", d, name, old, rows)
			}
		}
		if compared < 60 {
			t.Errorf("%s: only %d values were compared", d, compared)
		}
	}
}

// secondIsEmpty asks for what is missing once more: nothing may be.
func (l *lab) secondIsEmpty(t *testing.T) {
	t.Helper()
	reports, err := l.write(t, "")
	if err != nil {
		t.Error(err)
	}
	for _, r := range reports {
		if len(r.Changes)+len(r.Files) > 0 {
			t.Errorf("%s: a second time it says %q and writes\n%s", r.Dialect, r.Changes, textOf(t, r.Files))
		}
	}
}

// guarded looks at what keeps workspaces apart, by its effect: a reference into
// another workspace is refused, and a delete clears references and nothing
// else.
func guarded(t *testing.T, d diff.Declaration, db *database.DB) {
	t.Helper()
	tables, err := diff.TablesOf(d, db.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	for _, target := range d.Records {
		for _, r := range referring(tables, target) {
			if count(t, db, r.table) == 0 { // a new one
				continue
			}
			among := " = (SELECT id FROM " + target + " AS x WHERE x.workspace_id %s " + r.table + ".workspace_id LIMIT 1)"
			set := "UPDATE " + r.table + " SET " + r.column + among + " WHERE " + r.first("")
			run(t, db, "UPDATE "+r.table+" SET "+r.column+" = NULL")
			if _, err := db.SQL().ExecContext(t.Context(), fmt.Sprintf(set, "<>")); err == nil {
				t.Errorf("%s: %v takes %s of another workspace", db.Dialect(), r, target)
			}
			run(t, db, fmt.Sprintf(set, "="))
		}
	}
	counted(t, d, db)
	defer counted(t, d, db)
	for _, target := range d.Records {
		before := counts(t, db, tables)
		run(t, db, "DELETE FROM "+target)
		before[target] = 0
		if after := counts(t, db, tables); !maps.Equal(after, before) {
			t.Errorf("%s: deleting %s left %v of %v", db.Dialect(), target, after, before)
		}
		for _, r := range referring(tables, target) {
			if n := count(t, db, r.table+" WHERE "+r.column+" IS NOT NULL"); n != 0 {
				t.Errorf("%s: %d of %v name a deleted one of %s", db.Dialect(), n, r, target)
			}
		}
	}
}

// counted holds what is counted of each record's table against what is there, and
// the counts against the tables that there are.
func counted(t *testing.T, d diff.Declaration, db *database.DB) {
	t.Helper()
	for _, table := range d.Records {
		if n := count(t, db, "("+keep.Compare(table)+") AS wrong"); n != 0 {
			t.Errorf("%s: the counts of %s are wrong in %d workspaces", db.Dialect(), table, n)
		}
	}
	if n := count(t, db, recordcount.Table+" WHERE resource NOT IN ('"+strings.Join(d.Records, "', '")+"')"); n != 0 {
		t.Errorf("%s: %d counts are of tables that are gone", db.Dialect(), n)
	}
}

// finished looks for what PostgreSQL would leave half done: a constraint that
// was not validated, an index that is not valid.
func finished(t *testing.T, db *database.DB) {
	t.Helper()
	for _, half := range []string{"pg_constraint WHERE NOT convalidated", "pg_index WHERE NOT indisvalid"} {
		if n := count(t, db, half); n != 0 {
			t.Errorf("%d of %s", n, half)
		}
	}
}

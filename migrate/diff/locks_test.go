package diff_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"records/migrate/diff"
	"records/migrate/script"
)

// Whoever deletes a record locks its table, and then those that refer to it. A file that
// locks several tables does so in that order too, before it alters one of them; and none
// looks at all rows of a table while it stops another. SQLite has one file for all.
func TestOrderOfLocks(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	db := l.dbs[dialect.Postgres].SQL()
	inOrder := func(change func(*diff.Declaration)) {
		t.Helper()
		change(&l.declaration)
		reports, err := l.write(t, "because")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range reports {
			if r.Dialect != dialect.Postgres {
				text := textOf(t, r.Files)
				if n := len(r.Files) - strings.Count(text, "Nothing to do here"); n != 1 {
					t.Errorf("SQLite has %d files that do something:\n%s", n, text)
				}
				continue
			}
			for _, name := range r.Files {
				runWatched(t, db, name)
			}
		}
	}
	inOrder(func(d *diff.Declaration) {
		addTable(d, "lab_tickets", &schema.Column{Name: "subject", Type: field.TypeString})
		refer(d, "lab_tickets", "task_id", "tasks")
		refer(d, "lab_tickets", "project_id", "projects")
		refer(d, "tasks", "lab_former_id", "projects")
		refer(d, "tasks", "company_id", "companies")
		addColumn(d, "companies", schema.Column{Name: "lab_note", Type: field.TypeString, Nullable: true})
		addColumn(d, "contacts", schema.Column{Name: "lab_note", Type: field.TypeString, Nullable: true})
		columnOf(d, "projects.status").Nullable, d.Backfills["projects.status"] = false, "open"
		columnOf(d, "tasks.name").Name = "lab_title"
		d.Renames["tasks.lab_title"] = "name"
	})
	inOrder(func(d *diff.Declaration) {
		clear(d.Backfills)
		clear(d.Renames)
		dropColumn(d, "tasks.lab_former_id")
		dropColumn(d, "companies.lab_note")
		dropColumn(d, "projects.description")
		dropTable(d, "lab_tickets")
		dropTable(d, "invoices")
	})
}

// runWatched applies a file of PostgreSQL and looks which locks it takes.
func runWatched(t *testing.T, db *sql.DB, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := script.Parse(filepath.Base(file), text, script.Postgres)
	if err != nil {
		t.Fatal(err)
	}
	if parsed.NoTransaction {
		if _, err := db.ExecContext(t.Context(), parsed.Statements[0].Text); err != nil {
			t.Fatal(err)
		}
		return
	}
	refers := parentsOf(t, db)
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	var altered []string
	for _, s := range parsed.Statements {
		if _, err := tx.ExecContext(t.Context(), s.Text); err != nil {
			t.Fatalf("%s: %v", s.Text, err)
		}
		if strings.Contains(s.Text, "VALIDATE CONSTRAINT") && len(held) > 0 {
			t.Errorf("%s: %s, while %v are locked", file, s.Text, held)
		}
		var further []string
		for _, table := range lockedTables(t, tx) {
			if !held[table] && refers[table] != nil { // it was there
				further = append(further, table)
			}
		}
		if s.Read().Take("lock") { // the one after the other, as they are named
			slices.SortFunc(further, func(a, b string) int { return strings.Index(s.Text, `"`+a+`"`) - strings.Index(s.Text, `"`+b+`"`) })
		} else if altered = append(altered, further...); len(altered) > 1 {
			t.Errorf("%s: %s: it alters %v", file, s.Text, altered)
		}
		for _, table := range further {
			for child := range held {
				if slices.Contains(refers[child], table) {
					t.Errorf("%s: %s locks %s, when %s is locked", file, s.Text, table, child)
				}
			}
			held[table] = true
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// parentsOf are the tables that there are, with those that they refer to.
func parentsOf(t *testing.T, db querier) map[string][]string {
	t.Helper()
	refers := map[string][]string{}
	for _, pair := range pairs(t, db, `SELECT c.relname, coalesce(r.relname, '') FROM pg_class c
		LEFT JOIN pg_constraint f ON f.conrelid = c.oid AND f.contype = 'f' LEFT JOIN pg_class r ON r.oid = f.confrelid
		WHERE c.relkind = 'r' AND c.relnamespace = quote_ident(current_schema())::regnamespace`) {
		refers[pair[0]] = append(refers[pair[0]], pair[1])
	}
	return refers
}

// lockedTables are those which the session holds so that nobody else can write them.
func lockedTables(t *testing.T, db querier) (tables []string) {
	t.Helper()
	for _, pair := range pairs(t, db, `SELECT DISTINCT c.relname, '' FROM pg_locks l JOIN pg_class c ON c.oid = l.relation
		WHERE l.pid = pg_backend_pid() AND c.relkind = 'r' AND l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`) {
		tables = append(tables, pair[0])
	}
	return tables
}

func pairs(t *testing.T, db querier, query string) (all [][2]string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var pair [2]string
		if err := rows.Scan(&pair[0], &pair[1]); err != nil {
			t.Fatal(err)
		}
		all = append(all, pair)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

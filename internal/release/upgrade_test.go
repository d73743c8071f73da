package main

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/doctor"
	"records/internal/servertest"
	"records/migrate"
)

const here tree = "../.."

// Every released schema comes up to the present one with its data: no row and
// no value is lost, and the program serves what the release served.
func TestEveryReleaseUpgrades(t *testing.T) {
	eachRelease(t, func(t *testing.T, r released) {
		db, before := r.open(t)
		if _, err := migrate.Up(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		for _, what := range lostIn(t, db, before) {
			t.Error(what)
		}
		whats, err := unserved(t.Context(), servertest.Start(t, db).Server, r.file(t, "answers.ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		for _, what := range whats {
			t.Error(what)
		}
		faults, err := doctor.Examine(t.Context(), db, false)
		if err != nil || len(faults) > 0 {
			t.Errorf("the doctor finds %v, %v", faults, err)
		}
	})
}

// What the test above is to find, it finds: migrations that could have followed
// the first release, some of which lose data.
func TestLossIsFound(t *testing.T) {
	t.Parallel()
	for name, m := range map[string]struct{ sql, want string }{
		"rows deleted":        {"DELETE FROM tasks", "tasks: the row "},
		"one row deleted":     {"DELETE FROM invoices WHERE number = (SELECT min(number) FROM invoices)", "invoices: the row "},
		"a table dropped":     {"DROP TABLE invoices", "invoices: the row "},
		"a table emptied":     {"CREATE TABLE copy AS SELECT * FROM tasks; DROP TABLE tasks; CREATE TABLE tasks AS SELECT * FROM copy WHERE 1 = 0; DROP TABLE copy", "tasks: the row "},
		"a column emptied":    {"UPDATE tasks SET due_date = NULL", "tasks.due_date of the row "},
		"a text cut":          {"UPDATE contacts SET phone = substr(phone, 1, 32)", "contacts.phone of the row "},
		"a text trimmed":      {"UPDATE companies SET name = trim(name)", "companies.name of the row "},
		"an amount rounded":   {"UPDATE deals SET value = '0' WHERE value = '0.0001'", "deals.value of the row "},
		"a reference cleared": {"UPDATE contacts SET company_id = NULL", "contacts.company_id of the row "},
		"a time moved":        {"UPDATE projects SET updated_at = created_at; UPDATE projects SET updated_at = '2026-01-01 00:00:00+00:00'", "projects.updated_at of the row "},
		"keys revoked":        {"UPDATE api_keys SET revoked_at = created_at", "api_keys.revoked_at of the row "},
		"a workspace renamed": {"UPDATE workspaces SET name = 'Acme Ltd' WHERE name = 'Acme'", "workspaces.name of the row "},

		"a column dropped":         {"ALTER TABLE tasks DROP COLUMN priority", ""},
		"a column added":           {"ALTER TABLE tasks ADD COLUMN planted_estimate bigint; UPDATE tasks SET planted_estimate = 1", ""},
		"a table added with a row": {"CREATE TABLE planted_moods (id text); INSERT INTO planted_moods VALUES ('good')", ""},
		"a row added":              {"INSERT INTO workspaces (id, name, created_at) VALUES ('01a1fd18-ff95-72af-b5af-bf436f83b184', 'New', '2026-01-01 00:00:00+00:00')", ""},
		"an index added":           {"CREATE INDEX planted_status ON tasks (workspace_id, status)", ""},
		"a value stays as it was":  {"UPDATE tasks SET status = status", ""},
	} {
		t.Run(name, func(t *testing.T) {
			eachDialect(t, "v0.1.0", func(t *testing.T, r released) {
				db, before := r.open(t)
				if err := plant(t, db, m.sql); err != nil {
					if m.want == "" {
						t.Fatal(err)
					}
					return // what refers to the table would not let it go
				}
				whats := strings.Join(lostIn(t, db, before), "\n")
				if m.want == "" && whats != "" || !strings.Contains(whats, m.want) {
					t.Errorf("found %q; want %q", whats, m.want)
				}
			})
		})
	}
}

// A column may leave the database, but what was served of it must be served.
func TestUnservedIsFound(t *testing.T) {
	eachRelease(t, func(t *testing.T, r released) {
		db, _ := r.open(t)
		if _, err := migrate.Up(t.Context(), db); err != nil {
			t.Fatal(err)
		}
		if err := plant(t, db, "UPDATE deals SET value = '42' WHERE value IS NULL; DELETE FROM invoices WHERE amount IS NULL"); err != nil {
			t.Fatal(err)
		}
		whats, err := unserved(t.Context(), servertest.Start(t, db).Server, r.file(t, "answers.ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		all := strings.Join(whats, "\n")
		for _, want := range []string{"deals: value of the record ", "was served as <nil> and is 42", "invoices: the record ", "is no longer served"} {
			if !strings.Contains(all, want) {
				t.Errorf("want %q in %q", want, all)
			}
		}
	})
}

// released is the record of a release for one dialect.
type released struct{ version, folder string }

// eachRelease runs f for every release and dialect.
func eachRelease(t *testing.T, f func(t *testing.T, r released)) {
	t.Helper()
	t.Parallel()
	releases, err := here.releases()
	if err != nil || len(releases) == 0 {
		t.Fatalf("no release is recorded: %v", err)
	}
	for _, version := range releases {
		t.Run(version, func(t *testing.T) { eachDialect(t, version, f) })
	}
}

func eachDialect(t *testing.T, version string, f func(t *testing.T, r released)) {
	t.Helper()
	t.Parallel()
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			f(t, released{version, folder})
		})
	}
}

func (r released) file(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(here.record(r.version), r.folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func (r released) dialect() string {
	return map[string]string{"sqlite": dialect.SQLite, "postgres": dialect.Postgres}[r.folder]
}

// open is a database as the release left it, and what it holds.
func (r released) open(t *testing.T) (*database.DB, content) {
	t.Helper()
	db := dbtest.OpenURL(t, dbtest.EmptyURL(t, r.dialect()))
	sums, err := here.releasedSums(r.version)
	if err != nil {
		t.Fatal(err)
	}
	newest, err := sums.newest()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := migrate.UpTo(t.Context(), db, newest); err != nil {
		t.Fatal(err)
	}
	empty, err := emptyTables(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	insert(t, db, string(r.file(t, "data.sql")))
	before, err := contentOf(t.Context(), db, empty)
	if err != nil {
		t.Fatal(err)
	}
	if len(before) < 8 || len(before["tasks"]) == 0 {
		t.Fatalf("the release has rows in no more than %v", slices.Collect(maps.Keys(before)))
	}
	return db, before
}

// plant applies a migration that follows all others.
func plant(t *testing.T, db *database.DB, sql string) error {
	t.Helper()
	later := dbtest.Migrations(t, map[string]string{"20990101000000_planted.sql": strings.ReplaceAll(sql, "; ", ";\n") + ";\n"})
	_, err := later.Up(t.Context(), db, migrate.Options{})
	return err
}

// lostIn is what a database has lost.
func lostIn(t *testing.T, db *database.DB, before content) []string {
	t.Helper()
	now, err := contentOf(t.Context(), db, slices.Collect(maps.Keys(before)))
	if err != nil {
		t.Fatal(err)
	}
	dangling, err := dangling(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return append(before.lost(now), dangling...)
}

package main_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/migrate"
)

// migrateBeyond brings a program's database to where a later version would.
func migrateBeyond(t *testing.T, url string, added map[string]string) {
	t.Helper()
	if _, err := dbtest.Migrations(t, added).Up(t.Context(), dbtest.OpenURL(t, url), migrate.Options{}); err != nil {
		t.Fatal(err)
	}
}

// An older program works on a newer schema that it can serve and does not touch it;
// one that it cannot serve it refuses, with one line.
func TestNewerSchema(t *testing.T) {
	t.Parallel()
	for _, d := range []string{"sqlite3", "postgres"} {
		t.Run(d, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, d)
			p := newProgram(t, url)
			later := map[string]string{"20270101000000_add.sql": "CREATE TABLE later (id integer);"}
			migrateBeyond(t, url, later)
			p.ok("workspace", "create", "Acme")
			if out := p.ok("migrate", "up"); out != "Migrations applied: 0. The database was migrated by a newer version of records, which this one can serve: 20270101000000_add.sql.\n" {
				t.Errorf("up printed %q", out)
			}
			if out := p.ok("migrate", "up", "--json"); out != "{\"applied\":[],\"newer\":[\"20270101000000_add.sql\"]}\n" {
				t.Errorf("up printed %q", out)
			}
			if out := p.ok("migrate", "status"); !strings.Contains(out, "newer than this program  20270101000000_add.sql\n") {
				t.Errorf("status printed %q", out)
			}
			s := p.serve()
			s.status(200, "GET", "/readyz", "", "")
			s.stop()

			later["20270102000000_drop_phone.sql"] = "ALTER TABLE contacts DROP COLUMN phone;"
			migrateBeyond(t, url, later)
			const refused = "the database was migrated by a newer version of records, to 20270102000000_drop_phone, which this one cannot serve: start the newer version"
			for _, args := range [][]string{
				{"serve"}, {"serve", "--database.migrate"}, {"workspace", "list"}, {"seed"}, {"migrate", "up"}, {"migrate", "up", "--dry-run"}, {"migrate", "lint"},
				{"key", "list", "--workspace", "Acme"},
			} {
				p.fails(refused, args...)
			}
			if _, log, code := p.run("migrate", "rehearse"); code != 1 || !strings.HasSuffix(log, "records: "+refused+"\n") {
				t.Errorf("a rehearsal: exit code %d, %q", code, log)
			}
			var states []migrate.State
			p.json(&states, "migrate", "status")
			if n := len(states); n < 3 || !states[n-1].Newer || states[n-1].Name != "20270102000000_drop_phone.sql" {
				t.Errorf("status printed %v", states)
			}
		})
	}
}

func TestMigrateLint(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		for _, args := range [][]string{{}, {"--all"}, {"--since", "0"}, {"--since=20261121073704"}} {
			if out := p.ok(append([]string{"migrate", "lint"}, args...)...); out != "Nothing unsafe was found.\n" {
				t.Errorf("lint %v printed %q", args, out)
			}
		}
		if out := p.ok("migrate", "lint", "--all", "--json"); out != "{\"findings\":[]}\n" {
			t.Errorf("lint printed %q", out)
		}
		p.fails("since must be the version of a migration, such as 20261121073704", "migrate", "lint", "--since", "last")
		p.fails("no migration has the version 99999999999999: `records migrate status` names those that there are", "migrate", "lint", "--since", "99999999999999")
		p.failsWith("since", "migrate", "lint", "--since", "1", "--all")
	})
	t.Run("no database", func(t *testing.T) {
		newProgram(t, "postgres://user@127.0.0.1:1/records?sslmode=disable").ok("migrate", "lint", "--all")
	})
}

// On a database without a table, all is pending; nothing of it is applied.
func TestMigrateRehearse(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"sqlite": "", "postgres": dbtest.EmptyURL(t, dialect.Postgres)} {
		t.Run(name, func(t *testing.T) {
			p := newProgram(t, url)
			p.file("records.db", "")
			out := p.ok("migrate", "rehearse")
			if !strings.Contains(out, "Migrations rehearsed: ") || !strings.Contains(out, "CREATE TABLE") || !strings.Contains(out, "In all ") || !strings.HasSuffix(out, "\nNothing unsafe was found.\n") {
				t.Errorf("it printed %s", out)
			}
			var report struct {
				Pending    []string
				Statements []struct{ Statement string }
				Findings   []any
			}
			p.json(&report, "migrate", "rehearse")
			if len(report.Pending) == 0 || len(report.Statements) < 10 || report.Findings == nil {
				t.Errorf("it printed %v", report)
			}
			p.states(false)
		})
	}
	p := newProgram(t, "")
	p.file("records.db", "")
	p.fails("copy: a copy of a SQLite file is made by the rehearsal itself", "migrate", "rehearse", "--copy", "postgres://localhost/x")
}

package main_test

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

func execute(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.Exec(query); err != nil {
		t.Error(err)
	}
}

// PostgreSQL is never migrated unasked.
func TestPostgresIsMigratedOnlyWhenAsked(t *testing.T) {
	t.Parallel()
	p := newProgram(t, dbtest.EmptyURL(t, dialect.Postgres))
	const pending = "migrations are pending: run `records migrate up` (or set database.migrate=true)"
	p.fails(pending, "serve")
	p.fails(pending, "workspace", "list")
	p.fails(pending, "seed")

	var dry struct{ Pending []string }
	p.json(&dry, "migrate", "up", "--dry-run")
	script := p.ok("migrate", "up", "--dry-run")
	if len(dry.Pending) == 0 || !strings.Contains(script, `CREATE TABLE "tasks"`) || !strings.Contains(script, dry.Pending[0]) {
		t.Errorf("pending %v: %.200s", dry.Pending, script)
	}
	p.states(false)
	p.fails(pending, "workspace", "list")

	var up struct{ Applied []string }
	p.json(&up, "migrate", "up")
	if strings.Join(up.Applied, " ") != strings.Join(dry.Pending, " ") {
		t.Errorf("applied %v; want %v", up.Applied, dry.Pending)
	}
	p.states(true)
	if out := p.ok("migrate", "up", "--json"); out != "{\"applied\":[]}\n" {
		t.Errorf("a second time it printed %q", out)
	}
	if out := p.ok("migrate", "up", "--dry-run", "--json"); out != "{\"pending\":[]}\n" {
		t.Errorf("then a dry run printed %q", out)
	}
	p.ok("workspace", "list")
}

// states checks that all migrations are applied, or none.
func (p *program) states(applied bool) {
	p.t.Helper()
	var states []struct {
		Name    string
		Applied bool
	}
	p.json(&states, "migrate", "status")
	if len(states) == 0 {
		p.t.Error("no migrations")
	}
	for _, s := range states {
		if s.Applied != applied {
			p.t.Errorf("%s is applied: %t", s.Name, s.Applied)
		}
	}
}

func TestDatabaseMigrateSetting(t *testing.T) {
	t.Parallel()
	p := newProgram(t, dbtest.EmptyURL(t, dialect.Postgres))
	p.ok("workspace", "list", "--database.migrate")
	p.set("DATABASE_MIGRATE", "true")
	s := p.serve()
	s.status(200, "GET", "/readyz", "", "")
	s.stop()
}

func TestMigrateSQLite(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	p.file("records.db", "") // a database without any table
	p.states(false)
	if out := p.ok("migrate", "up", "--dry-run"); !strings.Contains(out, "CREATE TRIGGER") {
		t.Errorf("printed %.200s", out)
	}
	p.states(false)
	if out := p.ok("migrate", "up"); !strings.HasPrefix(out, "Migrations applied: ") {
		t.Errorf("printed %q", out)
	}
	p.states(true)
	if out := p.ok("migrate", "status"); !strings.HasPrefix(out, "STATE") || !strings.Contains(out, "applied") {
		t.Errorf("printed %q", out)
	}
}

// What changes nothing makes no file either: its name may be mistyped.
func TestMissingFile(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "sqlite:mistyped.db")
	path := filepath.Join(p.dir, "mistyped.db")
	for _, args := range [][]string{{"status"}, {"lint"}, {"rehearse"}, {"up", "--dry-run"}} {
		p.fails("database.url (from RECORDS_DATABASE_URL): cannot open the database: there is no file "+path, append([]string{"migrate"}, args...)...)
	}
	if names, err := filepath.Glob(path + "*"); err != nil || len(names) != 0 {
		t.Errorf("there is %v, %v", names, err)
	}
	p.ok("migrate", "lint", "--all") // needs no database
	p.ok("migrate", "up")
	p.states(true)
}

// A dry run refuses what `migrate up` would refuse, in the same words.
func TestDryRunRefusesAsUpDoes(t *testing.T) {
	t.Parallel()
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run("out of order in "+d, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, d)
			execute(t, dbtest.OpenURL(t, url).SQL(), "DELETE FROM schema_migrations WHERE version_id = 20261121133122")
			newProgram(t, url).refused("20261121133122_key_generations.sql is pending and is older than 2026")
		})
	}
	t.Run("a file of another program", func(t *testing.T) {
		t.Parallel()
		url := dbtest.EmptyURL(t, dialect.SQLite)
		execute(t, dbtest.OpenURL(t, url).SQL(), "CREATE TABLE customers (id INTEGER)")
		newProgram(t, url).refused("it has tables, and was never migrated by records: another program has made it")
	})
	t.Run("a file of another program has no status", func(t *testing.T) {
		t.Parallel()
		url := dbtest.EmptyURL(t, dialect.SQLite)
		execute(t, dbtest.OpenURL(t, url).SQL(), "CREATE TABLE customers (id INTEGER)")
		newProgram(t, url).failsWith("another program has made it", "migrate", "status")
	})
	t.Run("a role of PostgreSQL", func(t *testing.T) {
		t.Parallel()
		role := newRole(t, "app")
		raw := dbtest.EmptyURL(t, dialect.Postgres)
		p := newProgram(t, asUser(t, raw, role))
		p.refused("the role " + role + " may make no tables in the schema: connect as the owner of the tables")
		newProgram(t, raw).ok("migrate", "up")
		owner := dbtest.OpenURL(t, raw).SQL()
		execute(t, owner, "GRANT ALL ON ALL TABLES IN SCHEMA public TO "+role)
		execute(t, owner, "GRANT CREATE ON SCHEMA public TO "+role)
		if out := p.ok("migrate", "up", "--dry-run"); out != "-- Migrations pending: 0. Nothing was changed.\n" {
			t.Errorf("with nothing pending it printed %q", out)
		}
		execute(t, owner, "DELETE FROM schema_migrations WHERE version_id = (SELECT max(version_id) FROM schema_migrations)")
		p.refused("the role " + role + " does not own the tables: connect as their owner")
		execute(t, owner, "ALTER ROLE "+role+" SET default_transaction_read_only = on")
		p.refused("PostgreSQL takes no writes here")
	})
}

// refused checks that the dry run and then `migrate up` fail with one line that has
// the part.
func (p *program) refused(part string) {
	p.t.Helper()
	p.failsWith(part, "migrate", "up", "--dry-run")
	p.failsWith(part, "migrate", "up", "--dry-run", "--json")
	p.failsWith(part, "migrate", "up")
}

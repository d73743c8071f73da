package main_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// Row-level security is put up as docs/operations.md says: for a role of its own, to
// which the program moves while others go on. What could not keep to it refuses, and
// in the end it is taken down again.
func TestRowLevelSecurity(t *testing.T) {
	t.Parallel()
	before, confined := newRole(t, "app"), newRole(t, "confined")
	raw := dbtest.EmptyURL(t, dialect.Postgres) // is dropped first, with what the roles may do in it
	owner := newProgram(t, raw)
	owner.ok("migrate", "up")
	sql := dbtest.OpenURL(t, raw).SQL()
	execute(t, sql, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "+before)
	execute(t, sql, "GRANT "+before+" TO "+confined)
	old := newProgram(t, asUser(t, raw, before))
	acme, other := old.key("Acme", "write"), old.key("Other", "write")
	replica := old.serve()
	replica.status(201, "POST", "/api/v1/tasks", acme.Token, `{"name":"of acme"}`)

	owner.fails(`there is no role "nobody": make it, and grant it what docs/operations.md says`, "row-level-security", "on", "--role", "nobody")
	p := newProgram(t, asUser(t, raw, confined))
	p.failsWith("must be owner of table", "row-level-security", "off")
	p.set("DATABASE_ROW_LEVEL_SECURITY", "true")
	p.failsWith("the role "+confined+" is not confined to a workspace in ", "serve")
	early := newProgram(t, asUser(t, raw, confined)).serve() // as the role, which nothing confines yet
	early.status(200, "GET", "/readyz", "", "")
	owner.ok("row-level-security", "on", "--role", confined)
	if said := early.status(503, "GET", "/readyz", "", ""); !strings.Contains(said, "database.row_level_security is not set") {
		t.Error(said)
	}

	replica.status(201, "POST", "/api/v1/tasks", acme.Token, `{"name":"the one before, meanwhile"}`)
	s := p.serve()
	s.status(200, "GET", "/readyz", "", "")
	s.status(201, "POST", "/api/v1/tasks", other.Token, `{"name":"of other"}`)
	for range 3 {
		for token, want := range map[string]string{acme.Token: `"count":2`, other.Token: `"count":1`} {
			if list := s.status(200, "GET", "/api/v1/tasks", token, ""); !strings.Contains(list, want) {
				t.Errorf("%s, want %s", list, want)
			}
		}
	}
	p.file("invoices.csv", "number\n1\n2\n")
	p.ok("import", "invoices", "invoices.csv", "--workspace", "Acme")
	p.ok("seed")
	p.key("Third", "read")
	p.ok("migrate", "status")

	unaware := newProgram(t, asUser(t, raw, confined))
	unaware.failsWith("PostgreSQL confines this role to one workspace at a time in ", "serve")
	unaware.failsWith("set database.row_level_security=true", "import", "invoices", p.dir+"/invoices.csv", "--workspace", "Acme")
	unaware.failsWith("set database.row_level_security=true", "serve", "--database.migrate")
	unaware.failsWith("set database.row_level_security=true", "workspace", "list", "--database.migrate")
	old.ok("migrate", "up") // which has nothing to do, and so needs no owner
	seesAll := func(who *program, want bool) {
		t.Helper()
		out, _, _ := who.run("doctor") // which may find the throwaway server's settings wrong
		if strings.Contains(out, "Row-level security may hide rows from this role in ") == want {
			t.Errorf("doctor: %s", out)
		}
	}
	seesAll(p, false)
	seesAll(owner, true)
	owner.set("DATABASE_ROW_LEVEL_SECURITY", "true")
	owner.failsWith("is not confined to a workspace", "serve")
	seesAll(owner, true) // with the same settings, too
	execute(t, sql, "DROP POLICY records_workspace ON tasks")
	p.failsWith("is not confined to a workspace in tasks", "workspace", "list")
	if said := owner.ok("migrate", "up"); !strings.Contains(said, "The role "+confined+" is confined in all tables.") {
		t.Error(said)
	}
	p.ok("workspace", "list")

	s.stop()
	owner.ok("row-level-security", "off")
	unaware.serve().status(200, "GET", "/api/v1/tasks", acme.Token, "")
}

func TestRowLevelSecurityIsPostgreSQLs(t *testing.T) {
	t.Parallel()
	p := newProgram(t, dbtest.URL(t, dialect.SQLite))
	p.fails("row-level security is PostgreSQL's: an embedded database has none", "row-level-security", "off")
	p.fails("database.url (from RECORDS_DATABASE_URL): row-level security is PostgreSQL's: an embedded database has none", "serve", "--database.row_level_security")
}

package main_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// A role that may not look at the migrations is told what it lacks and what helps, and
// not that they are pending.
func TestRoleThatMayNotLook(t *testing.T) {
	t.Parallel()
	role := newRole(t, "blind")
	raw := dbtest.EmptyURL(t, dialect.Postgres)
	newProgram(t, raw).ok("migrate", "up")
	owner := dbtest.OpenURL(t, raw).SQL()
	p := newProgram(t, asUser(t, raw, role))
	grants := []string{
		"GRANT USAGE ON SCHEMA public TO " + role,
		"GRANT SELECT ON schema_migrations, schema_history TO " + role,
	}
	execute(t, owner, "REVOKE USAGE ON SCHEMA public FROM PUBLIC")
	for _, grant := range grants {
		for _, command := range []string{"serve", "migrate status", "workspace list"} {
			p.failsWith(": as the owner, "+grant, strings.Fields(command)...)
		}
		execute(t, owner, grant)
	}
	p.states(true)
}

// A parameter in the URL that PostgreSQL does not take is no server that is away: it is
// told at once.
func TestParameterThatIsNotTaken(t *testing.T) {
	t.Parallel()
	raw := dbtest.URL(t, dialect.Postgres)
	for parameter, said := range map[string]string{"sslmod=disable": `unrecognized configuration parameter "sslmod"`, "statement_timeout=soon": `invalid value for parameter "statement_timeout"`} {
		p := newProgram(t, raw+"&"+parameter)
		p.failsWith("database.url (from RECORDS_DATABASE_URL): ", "serve")
		p.failsWith(said, "serve")
		if out, _, _ := p.run("doctor"); !strings.Contains(out, "The database server refuses a parameter of database.url: "+said) {
			t.Errorf("doctor says %s", out)
		}
	}
}

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

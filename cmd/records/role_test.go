package main_test

import (
	"net/url"
	"os"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/dbtest"
)

// A role of its own for the program, with the rights that docs/operations.md names,
// serves and runs every command but `migrate up`; later tables are its as well.
func TestRoleOfTheProgram(t *testing.T) {
	t.Parallel()
	role := newRole(t, "app")
	raw := dbtest.EmptyURL(t, dialect.Postgres) // is dropped first, with what the role may do in it
	newProgram(t, raw).ok("migrate", "up")
	owner := dbtest.OpenURL(t, raw).SQL()
	for _, query := range []string{
		"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + role,
		"ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO " + role,
		"REVOKE INSERT, UPDATE, DELETE ON schema_migrations, schema_history FROM " + role,
	} {
		execute(t, owner, query)
	}
	asRole := asUser(t, raw, role)
	p := newProgram(t, asRole)
	k := p.key("Acme", "write")
	p.ok("seed")
	p.states(true)
	p.ok("migrate", "lint")
	s := p.serve()
	s.status(200, "GET", "/readyz", "", "")
	s.status(201, "POST", "/api/v1/tasks", k.Token, `{"name":"a"}`)
	s.stop()

	migrateBeyond(t, raw, map[string]string{"20270101000000_later.sql": "CREATE TABLE later (id integer);"})
	p.ok("workspace", "list")
	later := dbtest.OpenURL(t, asRole).SQL()
	execute(t, later, "INSERT INTO later VALUES (1)")
	if _, err := later.Exec("DELETE FROM schema_history"); err == nil {
		t.Error("the role may change the history")
	}
}

// newRole makes a role of PostgreSQL that may log in, for as long as the test lasts.
func newRole(t *testing.T, name string) string {
	t.Helper()
	role := "records_" + name + "_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	admin := dbtest.OpenURL(t, os.Getenv("TEST_POSTGRES_URL")).SQL()
	execute(t, admin, "CREATE ROLE "+role+" LOGIN")
	t.Cleanup(func() { execute(t, admin, "DROP ROLE "+role) })
	return role
}

// asUser returns a URL with another user in it.
func asUser(t *testing.T, raw, role string) string {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(role)
	return u.String()
}

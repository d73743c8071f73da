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
	role := "records_app_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	admin := dbtest.OpenURL(t, os.Getenv("TEST_POSTGRES_URL")).SQL()
	execute(t, admin, "CREATE ROLE "+role+" LOGIN")
	t.Cleanup(func() { execute(t, admin, "DROP ROLE "+role) })
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
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.User(role)
	p := newProgram(t, u.String())
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
	asRole := dbtest.OpenURL(t, u.String()).SQL()
	execute(t, asRole, "INSERT INTO later VALUES (1)")
	if _, err := asRole.Exec("DELETE FROM schema_history"); err == nil {
		t.Error("the role may change the history")
	}
}

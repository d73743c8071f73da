package main_test

import (
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// Who is held up by another process is told so, in no words of the database's alone.
func TestAnotherProcessWrites(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	p := newProgram(t, url)
	id := p.key("Acme", "read").ID
	conn, err := dbtest.OpenURL(t, url).SQL().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	p.failsWith("another process holds what this needs in the database, as an import does; try again when it is done", "key", "revoke", id)
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	p.ok("key", "revoke", id)
}

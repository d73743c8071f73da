// Package dbtest gives a test the real thing: a private, migrated, empty
// database on SQLite or PostgreSQL, a Redis, and a proxy that breaks the way to
// them. Without a server a test fails: it is never skipped.
//
// TEST_POSTGRES_URL names a PostgreSQL server and a user who may create
// databases, TEST_REDIS_URL a Redis server, TEST_PGBOUNCER the program of that name.
// `make test` sees to all three.
package dbtest

import (
	"testing"

	"entgo.io/ent/dialect"

	entrest "records/ent/rest"
	"records/internal/database"
)

// maxConns keeps pools small, for many tests run at once against one server.
const maxConns = 4

// Each runs f on both dialects, as parallel subtests "sqlite" and "postgres".
func Each(t *testing.T, f func(t *testing.T, db *database.DB)) {
	t.Helper()
	run := func(name, dialect string) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, Open(t, dialect))
		})
	}
	run("sqlite", dialect.SQLite)
	run("postgres", dialect.Postgres)
}

// Open returns a database of its own for the test, which ends with it. dialect is
// dialect.SQLite or dialect.Postgres.
func Open(t testing.TB, dialect string) *database.DB {
	t.Helper()
	return OpenURL(t, URL(t, dialect))
}

// OpenURL opens a URL that the test has in hand, such as a proxy's, for as long
// as the test lasts.
func OpenURL(t testing.TB, url string) *database.DB {
	t.Helper()
	db, err := database.Open(url, options())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// options are as the program has them, with a small pool.
func options() database.Options {
	return database.Options{MaxConns: maxConns, StatementCache: database.DefaultStatementCache, ByIndex: true, Counted: entrest.Resources(nil).Tables()}
}

// URL returns the URL of a database of its own for the test, migrated and empty,
// for a test that starts the program.
func URL(t testing.TB, name string) string {
	t.Helper()
	switch name {
	case dialect.SQLite:
		return sqliteURL(t)
	case dialect.Postgres:
		return postgresURL(t)
	}
	t.Fatalf("no dialect is called %q", name)
	return ""
}

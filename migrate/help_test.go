package migrate_test

import (
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

// eachEmpty runs f with the URL of a database without any table, on both
// dialects.
func eachEmpty(t *testing.T, f func(t *testing.T, dialect, url string)) {
	t.Helper()
	t.Parallel()
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(d, func(t *testing.T) {
			t.Parallel()
			f(t, d, dbtest.EmptyURL(t, d))
		})
	}
}

// number is what a query counts.
func number(t *testing.T, db *database.DB, query string) int {
	t.Helper()
	var n int
	if err := db.SQL().QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// tables is how many tables the database has.
func tables(t *testing.T, db *database.DB) int {
	t.Helper()
	if db.Dialect() == dialect.SQLite {
		return number(t, db, "SELECT count(*) FROM sqlite_master")
	}
	return number(t, db, "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'public'")
}

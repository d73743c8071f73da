package migrate_test

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

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
			f(t, d, emptyURL(t, d))
		})
	}
}

func emptyURL(t *testing.T, d string) string {
	t.Helper()
	if d == dialect.SQLite {
		return "sqlite:" + filepath.Join(t.TempDir(), "empty.db")
	}
	server := os.Getenv("TEST_POSTGRES_URL")
	admin := dbtest.OpenURL(t, server)
	name := "records_empty_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	run(t, admin, "CREATE DATABASE "+name)
	t.Cleanup(func() { run(t, admin, "DROP DATABASE "+name+" WITH (FORCE)") })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + name
	return u.String()
}

func run(t *testing.T, db *database.DB, query string) {
	t.Helper()
	if _, err := db.SQL().Exec(query); err != nil {
		t.Error(err)
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

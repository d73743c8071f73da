package database_test

import (
	"context"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"records/internal/database"
	"records/internal/dbtest"
)

// things is a table for tests, with a second unique column and a child.
const things = `
	CREATE TABLE things (id VARCHAR(36) PRIMARY KEY, name VARCHAR(99) UNIQUE, parent VARCHAR(36) REFERENCES things (id))`

// broken is a PostgreSQL database with the table things, reached through a proxy
// that a test breaks, and directly to see what became of it.
type broken struct {
	*dbtest.Proxy
	db     *database.DB
	direct *database.DB
}

func newBroken(t *testing.T) broken {
	t.Helper()
	url := dbtest.URL(t, dialect.Postgres)
	direct := dbtest.OpenURL(t, url)
	run(t, direct, things)
	proxy := dbtest.NewProxy(t, url)
	db := dbtest.OpenURL(t, proxy.URL())
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	return broken{proxy, db, direct}
}

// count returns how many rows of things have the name, or of all with "".
func (b broken) count(t *testing.T, name string) int {
	t.Helper()
	var n int
	query := "SELECT count(*) FROM things WHERE name = $1 OR $1 = ''"
	if err := b.direct.SQL().QueryRow(query, name).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// run runs a statement that must succeed.
func run(t testing.TB, db *database.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.SQL().ExecContext(t.Context(), query, args...); err != nil {
		t.Fatal(err)
	}
}

// exec runs a statement as Ent does, and returns how many rows it changed.
func exec(ctx context.Context, db *database.DB, query string, args ...any) (int64, error) {
	var result entsql.Result
	if err := db.Driver().Exec(ctx, query, args, &result); err != nil {
		return 0, err
	}
	n, _ := result.RowsAffected()
	return n, nil
}

// query runs a query as Ent does, and returns the first column as text.
func query(ctx context.Context, db dialect.ExecQuerier, query string, args ...any) ([]string, error) {
	rows := &entsql.Rows{}
	if err := db.Query(ctx, query, args, rows); err != nil {
		return nil, err
	}
	defer rows.Close()
	var texts []string
	return texts, entsql.ScanSlice(rows, &texts)
}

// within fails the test if f takes longer than limit.
func within(t *testing.T, limit time.Duration, f func()) {
	t.Helper()
	done := make(chan struct{})
	begun := time.Now()
	go func() { defer close(done); f() }()
	select {
	case <-done:
		if took := time.Since(begun); took > limit {
			t.Errorf("took %s, more than %s", took, limit)
		}
	case <-time.After(limit + 5*time.Second):
		t.Fatalf("hung for more than %s", limit+5*time.Second)
	}
}

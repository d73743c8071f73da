package database_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"

	"records/internal/database"
	"records/internal/dbtest"
)

// things are tables for tests: one with a second unique column and a reference,
// and one without any key.
const things = `
	CREATE TABLE things (id VARCHAR(36) PRIMARY KEY, name VARCHAR(99) UNIQUE, parent VARCHAR(36) REFERENCES things (id));
	CREATE TABLE notes (text VARCHAR(99) NOT NULL, CONSTRAINT not_spoilt CHECK (text <> 'spoilt'))`

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
	return broken{direct: direct}.through(t, url)
}

// through returns b with a proxy of its own.
func (b broken) through(t *testing.T, url string) broken {
	t.Helper()
	b.Proxy = dbtest.NewProxy(t, url)
	b.db = dbtest.OpenURL(t, b.URL())
	if err := b.db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	return b
}

// count returns how many rows of things have the name.
func (b broken) count(t *testing.T, name string) int {
	t.Helper()
	var n int
	if err := b.direct.SQL().QueryRow("SELECT count(*) FROM things WHERE name = $1", name).Scan(&n); err != nil {
		t.Error(err)
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

// alterDatabase alters the PostgreSQL database itself, for sessions that begin from now.
func alterDatabase(t *testing.T, db *database.DB, clause string) {
	t.Helper()
	run(t, db, `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I `+clause+`', current_database()); END $$`)
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

// begin starts a transaction as Ent's client does.
func begin(ctx context.Context, db *database.DB, opts *sql.TxOptions) (dialect.Tx, error) {
	return db.Driver().(interface {
		BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
	}).BeginTx(ctx, opts)
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
		t.Errorf("hung for more than %s", limit+5*time.Second)
	}
}

package migrate_test

import (
	"context"
	"database/sql"
	"net/url"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate"
)

// withParameter adds a parameter to a PostgreSQL URL.
func withParameter(t *testing.T, raw, name, value string) string {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	q.Set(name, value)
	u.RawQuery = q.Encode()
	return u.String()
}

// postgres returns a migrated database and its URL.
func postgres(t *testing.T) (*database.DB, string) {
	t.Helper()
	t.Parallel()
	url := dbtest.EmptyURL(t, dialect.Postgres)
	db := dbtest.OpenURL(t, url)
	mustUp(t, db, nil)
	return db, url
}

// hold reads tasks in a transaction of its own, which a change of the table has to
// wait for.
func hold(t *testing.T, url string) *sql.Tx {
	t.Helper()
	tx, err := dbtest.OpenURL(t, withParameter(t, url, "application_name", "the holder")).SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec("SELECT count(*) FROM tasks"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tx.Rollback() })
	return tx
}

var addColumn = map[string]string{"20270101000000_add.sql": `CREATE TABLE first (id integer); ALTER TABLE tasks ADD COLUMN extra text;`}

// Who waits for a lock gives it up before others queue up behind for long, and
// succeeds when it is free.
func TestLockIsTriedAgain(t *testing.T) {
	db, url := postgres(t)
	tx := hold(t, url)
	var said []string
	done := make(chan error, 1)
	go func() {
		o := migrate.Options{LockTimeout: 100 * time.Millisecond, Patience: 20 * time.Second, Say: func(s string) { said = append(said, s) }}
		_, err := dbtest.Migrations(t, addColumn).Up(context.Background(), db, o)
		done <- err
	}()
	other := dbtest.OpenURL(t, url)
	slowest := time.Duration(0)
	for until := time.Now().Add(2 * time.Second); time.Now().Before(until); time.Sleep(5 * time.Millisecond) {
		start := time.Now()
		if n := number(t, other, "SELECT count(*) FROM tasks"); n != 0 {
			t.Fatal(n)
		}
		slowest = max(slowest, time.Since(start))
	}
	if slowest > 900*time.Millisecond {
		t.Errorf("a reader waited for %s", slowest)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if len(said) == 0 || !strings.Contains(said[0], "trying again in 500ms") {
		t.Errorf("said %q", said)
	}
	number(t, db, "SELECT count(extra) FROM tasks")
}

// When patience is over, the error says who held what.
func TestLockIsGivenUp(t *testing.T) {
	db, url := postgres(t)
	hold(t, url)
	_, err := dbtest.Migrations(t, addColumn).Up(t.Context(), db, seen)
	fails(t, err, "gave up after 2 tries", "20270101000000_add.sql: statement 2 (line 2: ALTER TABLE tasks ADD COLUMN extra text): canceling statement due to lock timeout (55P03)",
		"it waited for AccessExclusiveLock on tasks, held by session ", `(user postgres, application "the holder", idle in transaction, in a transaction for `, "last statement: SELECT count(*) FROM tasks)", "Nothing of this migration was kept")
	if _, err := db.SQL().Exec("SELECT * FROM first"); err == nil {
		t.Error("the first statement was kept")
	}
}

// The limits that a server or a URL sets for the statements of requests do not end
// a long migration, in a transaction or outside of one.
func TestLongMigration(t *testing.T) {
	_, url := postgres(t)
	db := dbtest.OpenURL(t, withParameter(t, withParameter(t, url, "statement_timeout", "150"), "idle_in_transaction_session_timeout", "150"))
	execute(t, db, "CREATE FUNCTION slow(integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM pg_sleep(0.3); RETURN $1; END $$")
	execute(t, db, "CREATE TABLE slowly AS SELECT 1 AS a")
	mustUp(t, db, map[string]string{
		"20270101000000_slow.sql":           "SELECT pg_sleep(0.4);",
		"postgres/20270102000000_index.sql": "-- +goose Up\n-- +goose NO TRANSACTION\nCREATE INDEX CONCURRENTLY slow_index ON slowly (slow(a));",
		"sqlite/20270102000000_index.sql":   "",
	})
	if _, err := db.SQL().Exec("SELECT pg_sleep(0.4)"); err == nil {
		t.Error("the limit is no limit")
	}
}

// A SQLite file that another process writes is waited for.
func TestBusyFile(t *testing.T) {
	t.Parallel()
	url := dbtest.EmptyURL(t, dialect.SQLite)
	db, other := dbtest.OpenURL(t, url), dbtest.OpenURL(t, url)
	mustUp(t, db, nil)
	tx, err := other.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(time.Second, func() { _ = tx.Rollback() })
	source := dbtest.Migrations(t, map[string]string{"20270101000000_a.sql": "CREATE TABLE a (id integer);"})
	if _, err := source.Up(t.Context(), db, migrate.Options{LockTimeout: quick.LockTimeout}); err != nil {
		t.Error(err)
	}
}

// A SQLite file that is written for longer is not waited for beyond patience, nor
// by one try for longer than a lock.
func TestBusyFileIsGivenUp(t *testing.T) {
	t.Parallel()
	url := dbtest.EmptyURL(t, dialect.SQLite)
	db, other := dbtest.OpenURL(t, url), dbtest.OpenURL(t, url)
	mustUp(t, db, nil)
	tx, err := other.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	start := time.Now()
	_, err = up(t, db, map[string]string{"20270101000000_a.sql": "CREATE TABLE a (id integer);"})
	fails(t, err, "gave up after 2 tries", "database is locked", "Nothing of this migration was kept")
	if took := time.Since(start); took > quick.Patience+2*time.Second {
		t.Errorf("it waited for %s", took)
	}
}

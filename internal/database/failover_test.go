package database_test

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

// severalHosts is a URL with the hosts of others, in their order.
func severalHosts(t *testing.T, params string, urls ...string) string {
	t.Helper()
	var hosts []string
	for _, raw := range urls {
		hosts = append(hosts, parse(t, raw).Host)
	}
	u := parse(t, urls[0])
	u.Host = ""
	all := "postgres://" + u.User.String() + "@" + strings.Join(hosts, ",") + u.Path + "?" + u.RawQuery + params
	if _, err := database.ParseURL(all); err != nil {
		t.Fatal(err)
	}
	return all
}

// port is that of the server which a statement reaches.
func port(ctx context.Context, db *database.DB) (string, error) {
	got, err := query(ctx, db.Driver(), `SELECT current_setting('port')`)
	if err != nil || len(got) != 1 {
		return "", err
	}
	return got[0], nil
}

// wantPort fails the test if statements reach another server than that of a URL.
func wantPort(t *testing.T, db *database.DB, raw string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if got, err := port(ctx, db); err != nil || got != parse(t, raw).Port() {
		t.Errorf("got %s, want that of %s; %v", got, parse(t, raw).Host, err)
	}
}

// A standby is passed over, wherever it stands in the list, and so is a host where
// nobody is. After it is promoted the same pool goes on with it, and connections to
// the server before are not used again, though it still answers.
func TestFailover(t *testing.T) {
	t.Parallel()
	a := dbtest.NewCluster(t)
	b := dbtest.NewStandby(t, a)
	nobody := dbtest.NewProxy(t, a.URL)
	nobody.Refuse()
	for name, list := range map[string][]string{
		"first":     {a.URL, b.URL},
		"last":      {b.URL, a.URL},
		"with none": {nobody.URL(), b.URL, a.URL},
	} {
		t.Run(name, func(t *testing.T) {
			for _, params := range []string{"", "&target_session_attrs=read-write", "&target_session_attrs=primary"} {
				wantPort(t, dbtest.OpenURL(t, severalHosts(t, params, list...)), a.URL)
			}
		})
	}
	wantPort(t, dbtest.OpenURL(t, severalHosts(t, "&target_session_attrs=any", b.URL, a.URL)), b.URL)

	db := dbtest.OpenURL(t, severalHosts(t, "", b.URL, a.URL))
	run(t, db, things)
	run(t, db, insertThing, uuid.New(), "before")
	b.Promote(t) // a goes on as if nothing had happened: nobody has fenced it
	wantPort(t, db, a.URL)
	busy, err := db.SQL().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if _, err := query(t.Context(), db.Driver(), `SELECT pg_sleep(3)::text`); !database.IsUnavailable(err) && err != nil {
		t.Error(err)
	}
	wantPort(t, db, b.URL) // it was asked when the statement had lasted for long
	if err := busy.PingContext(t.Context()); err == nil {
		t.Error("a connection to the server before is used")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second) // the server before would wait for ever
	defer cancel()
	if n, err := exec(ctx, db, insertThing, uuid.New(), "after"); err != nil || n != 1 {
		t.Error(n, err)
	}
	b.Stop(t, syscall.SIGINT) // a takes writes still, and lacks those of b
	if err := db.Ping(t.Context()); !database.IsUnavailable(err) || !strings.Contains(err.Error(), "promoted in its place") {
		t.Errorf("a server that was replaced: %v", err)
	}
	b.Start(t)
	wantPort(t, db, b.URL)
}

// While no host takes writes, the error says of each why, in one line and without the
// password.
func TestNoPrimary(t *testing.T) {
	t.Parallel()
	a := dbtest.NewCluster(t)
	b := dbtest.NewStandby(t, a)
	a.Stop(t, syscall.SIGINT)
	u := parse(t, severalHosts(t, "", a.URL, b.URL))
	u.User = url.UserPassword("postgres", "s3cret")
	db := dbtest.OpenURL(t, u.String())
	err := db.Ping(t.Context())
	if !database.IsUnavailable(err) || database.Kind(err) != "unreachable" {
		t.Errorf("%v is %q", err, database.Kind(err))
	}
	for _, part := range []string{parse(t, a.URL).Host, "refused", parse(t, b.URL).Host, "standby"} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%v does not tell of %s", err, part)
		}
	}
	if strings.ContainsAny(err.Error(), "\n") || strings.Contains(err.Error(), "s3cret") {
		t.Errorf("%q", err)
	}

	any := dbtest.OpenURL(t, severalHosts(t, "&target_session_attrs=any", a.URL, b.URL))
	wantPort(t, any, b.URL)
	if _, err := exec(t.Context(), any, `CREATE TABLE none ()`); !database.IsUnavailable(err) {
		t.Errorf("a standby answers a write with %v", err)
	}
	if _, err := any.Driver().Tx(t.Context()); !database.IsUnavailable(err) {
		t.Errorf("a standby answers the beginning of a transaction with %v", err)
	}

	b.Promote(t)
	within(t, 5*time.Second, func() { wantPort(t, db, b.URL) })
}

// A server that stands still has half of connect_timeout, and is asked last the next
// time.
func TestFrozenHost(t *testing.T) {
	t.Parallel()
	a := dbtest.NewCluster(t)
	silent := dbtest.NewProxy(t, a.URL)
	silent.Freeze()
	db := dbtest.OpenURL(t, severalHosts(t, "&connect_timeout=4", silent.URL(), a.URL))
	within(t, 6*time.Second, func() { wantPort(t, db, a.URL) })
	conn, err := db.SQL().Conn(t.Context()) // so that the next is a new one
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	within(t, 1900*time.Millisecond, func() { wantPort(t, db, a.URL) })
}

// What a server refuses because it takes no writes did nothing: it is sent again, on
// another connection, and the one that was refused is not used again.
func TestServerThatTakesNoWritesAnyMore(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	conn, err := b.db.SQL().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var before, after int
	const pid = `SELECT pg_backend_pid()`
	if _, err := conn.ExecContext(t.Context(), `SET default_transaction_read_only = on`); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(conn.QueryRowContext(t.Context(), pid).Scan(&before), conn.Close()); err != nil {
		t.Fatal(err)
	}
	if n, err := exec(t.Context(), b.db, insertThing, uuid.New(), "new"); err != nil || n != 1 || b.count(t, "new") != 1 {
		t.Errorf("%d inserted, %d are there, %v", n, b.count(t, "new"), err)
	}
	if err := b.db.SQL().QueryRow(pid).Scan(&after); err != nil || after == before {
		t.Errorf("the same connection: %v", err)
	}
	alterDatabase(t, b.direct, "SET default_transaction_read_only = on")
	b.Refuse() // so that there are no sessions of before
	b.Restore()
	if _, err := exec(t.Context(), b.db, insertThing, uuid.New(), "newer"); !database.IsUnavailable(err) || errors.Is(err, database.ErrOutcomeUnknown) {
		t.Error(err)
	}
}

// A commit that waits for a synchronous standby and is cancelled is done on the
// primary alone, and PostgreSQL answers as if it were done. It is not acknowledged.
func TestUnreplicated(t *testing.T) {
	t.Parallel()
	a := dbtest.NewCluster(t)
	b := dbtest.NewStandby(t, a)
	db := dbtest.OpenURL(t, severalHosts(t, "", a.URL, b.URL))
	run(t, db, things)
	for range 2 { // the second time it is prepared
		run(t, db, insertThing, uuid.New(), uuid.NewString())
	}
	b.Stop(t, syscall.SIGINT)
	waiting := func(name string, write func(ctx context.Context) error) {
		ctx, cancel := context.WithTimeout(t.Context(), 3*patience)
		defer cancel()
		within(t, 10*time.Second, func() {
			if err := write(ctx); !errors.Is(err, database.ErrOutcomeUnknown) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	waiting("insert", func(ctx context.Context) error {
		_, err := exec(ctx, db, insertThing, uuid.New(), "a")
		return err
	})
	waiting("update", func(ctx context.Context) error {
		_, err := query(ctx, db.Driver(), updateReturning, "b", "a")
		return err
	})
	waiting("delete", func(ctx context.Context) error {
		_, err := exec(ctx, db, deleteThing, "b")
		return err
	})
	waiting("transaction", func(ctx context.Context) error {
		tx, err := db.Driver().Tx(ctx)
		if err != nil {
			return err
		}
		if err := tx.Exec(ctx, insertThing, []any{uuid.New(), "c"}, nil); err != nil {
			t.Error(err)
		}
		return tx.Commit()
	})
	b.Start(t)
	if _, err := exec(t.Context(), db, insertThing, uuid.New(), "after"); err != nil {
		t.Error(err)
	}
}

// A pooler on each server keeps its clients when its server becomes a standby. Such a
// connection is not believed any more.
func TestFailoverBehindPoolers(t *testing.T) {
	t.Parallel()
	a := dbtest.NewCluster(t)
	b := dbtest.NewStandby(t, a)
	db := dbtest.OpenURL(t, severalHosts(t, "", dbtest.PgBouncer(t, a.URL, "transaction"), dbtest.PgBouncer(t, b.URL, "transaction")))
	wantPort(t, db, a.URL)
	a.Stop(t, syscall.SIGINT)
	b.Promote(t)
	a.Follow(t, b)
	wantPort(t, db, b.URL)
}

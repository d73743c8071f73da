package database_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

// A session that prepares the statements of requests has them planned once, unless the
// URL says something else.
func TestPlansOfASession(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	for _, test := range []struct {
		url  string
		keep int
		want string
	}{
		{url, 1, "force_generic_plan"}, {url, 0, "auto"}, {url + "&plan_cache_mode=auto", 1, "auto"}, {dbtest.PgBouncer(t, url, "session"), 1, "auto"},
	} {
		db, err := database.Open(test.url, database.Options{MaxConns: 1, StatementCache: test.keep, ByIndex: true})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = db.Close() })
		if got, err := query(t.Context(), db.Driver(), `SELECT current_setting($1)`, "plan_cache_mode"); err != nil || len(got) != 1 || got[0] != test.want {
			t.Errorf("%s, %d kept: %q, want %s; %v", test.url, test.keep, got, test.want, err)
		}
	}
}

// limited opens a URL with limits.
func limited(t *testing.T, url string, statement, lock time.Duration) *database.DB {
	t.Helper()
	db, err := database.Open(url, database.Options{MaxConns: 2, StatementTimeout: statement, LockTimeout: lock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// The server itself keeps the limits, unless the URL names others. A pooler that does
// not know them is no reason not to connect.
func TestLimitsOfASession(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	for name, test := range map[string]struct {
		url                   string
		statement, lock, idle string
	}{
		"direct":  {url, "9s", "1500ms", "9s"},
		"URL":     {url + "&statement_timeout=7s", "7s", "1500ms", "9s"},
		"session": {dbtest.PgBouncer(t, url, "session"), "0", "0", "0"},
		"shared":  {dbtest.PgBouncer(t, url, "transaction"), "0", "0", "0"},
	} {
		db := limited(t, test.url, 9*time.Second, 1500*time.Millisecond)
		for setting, want := range map[string]string{
			"statement_timeout": test.statement, "lock_timeout": test.lock, "idle_in_transaction_session_timeout": test.idle,
		} {
			got, err := query(t.Context(), db.Driver(), `SELECT current_setting($1)`, setting)
			if err != nil || len(got) != 1 || got[0] != want {
				t.Errorf("%s: %s is %q, want %s; %v", name, setting, got, want, err)
			}
		}
	}
}

// Who waits for a lock gives up in time, and is told what happened.
func TestLockTimeout(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	run(t, dbtest.OpenURL(t, url), things)
	holder, err := dbtest.OpenURL(t, url).SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer holder.Rollback()
	if _, err := holder.ExecContext(t.Context(), `LOCK TABLE "things"`); err != nil {
		t.Fatal(err)
	}
	_, err = query(t.Context(), limited(t, url, 0, 50*time.Millisecond).Driver(), `SELECT "name" FROM "things"`)
	if !database.IsUnavailable(err) || database.Kind(err) != "held_up" {
		t.Errorf("got %v, %q", err, database.Kind(err))
	}
}

// A statement ends although this process is cut off, and cannot ask for it.
func TestStatementEndsWithoutUs(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	proxy := dbtest.NewProxy(t, url)
	db, look := limited(t, proxy.URL(), 2*time.Second, 0), dbtest.OpenURL(t, url)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		_, err := query(ctx, db.Driver(), `SELECT pg_sleep(3600)::text`)
		ended <- err
	}()
	running := func() bool {
		got, err := query(t.Context(), look.Driver(), `SELECT pid::text FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep(3600)%' AND pid <> pg_backend_pid()`)
		if err != nil {
			t.Fatal(err)
		}
		return len(got) > 0
	}
	for began := time.Now(); !running(); time.Sleep(time.Millisecond) {
		if time.Since(began) > 10*time.Second {
			t.Fatal("the statement does not run")
		}
	}
	proxy.Freeze()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller got %v", err)
	}
	for began := time.Now(); running(); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > 20*time.Second {
			t.Fatal("the statement still runs")
		}
	}
}

// What is the matter with the database has a name.
func TestKind(t *testing.T) {
	t.Parallel()
	nobody := dbtest.NewProxy(t, dbtest.URL(t, dialect.Postgres))
	nobody.Refuse()
	_, unreachable := query(t.Context(), dbtest.OpenURL(t, nobody.URL()).Driver(), `SELECT 'a'`)
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		ctx, cancel := context.WithTimeout(t.Context(), 0)
		defer cancel()
		_, late := query(ctx, db.Driver(), `SELECT 'a'`)
		gone, leave := context.WithCancel(t.Context())
		leave()
		_, canceled := query(gone, db.Driver(), `SELECT 'a'`)
		_, wrong := query(t.Context(), db.Driver(), `SELEC nonsense`)
		for want, err := range map[string]error{"timeout": late, "unreachable": unreachable, "outcome_unknown": database.ErrOutcomeUnknown} {
			if got := database.Kind(err); got != want {
				t.Errorf("%v is %q, want %q", err, got, want)
			}
		}
		for _, err := range []error{canceled, wrong, nil} {
			if got := database.Kind(err); got != "" {
				t.Errorf("%v is %q, want none", err, got)
			}
		}
	})
}

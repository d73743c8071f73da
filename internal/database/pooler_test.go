package database_test

import (
	"fmt"
	"sync"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

// throughPooler opens a database with the table things behind a PgBouncer that
// shares two sessions among all connections.
func throughPooler(t *testing.T, keep int) *database.DB {
	t.Helper()
	url := dbtest.URL(t, dialect.Postgres)
	run(t, dbtest.OpenURL(t, url), things)
	db, err := database.Open(dbtest.PgBouncer(t, url, "transaction"), database.Options{MaxConns: 8, StatementCache: keep})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Many connections use statements that look alike, in another order each, on the
// same sessions: everyone's is run, and nobody else's for it. Without prepared
// statements, as it must be there, and with them.
func TestPoolerRunsTheStatementItWasSent(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]int{"no cache": 0, "a cache that must not be": 100} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := throughPooler(t, keep)
			var all sync.WaitGroup
			for worker := range 8 {
				all.Go(func() {
					for i := range 40 {
						roundThroughPooler(t, db, fmt.Sprintf("%d-%d", worker, i), (worker+i)%4)
					}
				})
			}
			all.Wait()
			if got, err := query(t.Context(), db.Driver(), `SELECT "name" FROM "things"`); err != nil || len(got) != 0 {
				t.Errorf("%q are left, %v", got, err)
			}
		})
	}
}

// roundThroughPooler makes, reads, changes and removes a row. The text of what
// reads varies by n.
func roundThroughPooler(t *testing.T, db *database.DB, name string, n int) {
	if _, err := exec(t.Context(), db, insertThing, uuid.New(), name); err != nil {
		t.Error(err)
	}
	got, err := query(t.Context(), db.Driver(), fmt.Sprintf(`SELECT "name" || '/%d' FROM "things" WHERE "name" = $1`, n), name)
	if want := fmt.Sprintf("%s/%d", name, n); err != nil || len(got) != 1 || got[0] != want {
		t.Errorf("got %q, want %s; %v", got, want, err)
	}
	got, err = query(t.Context(), db.Driver(), updateReturning, name+"'", name)
	if err != nil || len(got) != 1 || got[0] != name+"'" {
		t.Errorf("an update returned %q, %v", got, err)
	}
	if n, err := exec(t.Context(), db, deleteThing, name+"'"); err != nil || n != 1 {
		t.Errorf("%d deleted, %v", n, err)
	}
}

// A transaction has a session of its own while it lasts.
func TestPoolerKeepsTransactionsApart(t *testing.T) {
	t.Parallel()
	db := throughPooler(t, 0)
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 20 {
				tx, err := db.SQL().BeginTx(t.Context(), nil)
				if err != nil {
					t.Error(err)
					return
				}
				for j := range 3 {
					if _, err := tx.ExecContext(t.Context(), insertThing, uuid.New(), fmt.Sprintf("%d-%d-%d", worker, i, j)); err != nil {
						t.Error(err)
					}
				}
				if err := tx.Rollback(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if got, err := query(t.Context(), db.Driver(), `SELECT "name" FROM "things"`); err != nil || len(got) != 0 {
		t.Errorf("%q are left, %v", got, err)
	}
}

// A pooler that gives each connection a session of its own lets it prepare.
func TestPoolerOfSessions(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	run(t, dbtest.OpenURL(t, url), things)
	db, err := database.Open(dbtest.PgBouncer(t, url, "session"), database.Options{MaxConns: 2, StatementCache: 100})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	b := broken{db: db}
	b.prepare(t, selectThing)
	if got, err := query(t.Context(), db.Driver(), selectThing, "none"); err != nil || len(got) != 0 {
		t.Errorf("%q, %v", got, err)
	}
}

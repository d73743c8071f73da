package database_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"records/internal/database"
	"records/internal/dbtest"
)

// giving are writes that take the row a, and wait then for the row b.
var giving = map[string]func(context.Context, *database.DB) error{
	"exec": func(ctx context.Context, db *database.DB) error {
		_, err := exec(ctx, db, `UPDATE "things" SET "parent" = NULL WHERE "name" IN ($1, $2)`, "a", "b")
		return err
	},
	"query": func(ctx context.Context, db *database.DB) error {
		_, err := query(ctx, db.Driver(), `DELETE FROM "things" WHERE "name" IN ($1, $2) RETURNING "name"`, "a", "b")
		return err
	},
}

// eachGiving has each of them wait for a transaction that holds b, and calls f.
func eachGiving(t *testing.T, params string, f func(t *testing.T, tx *sql.Tx, done chan error) (again bool)) {
	t.Parallel()
	for name, write := range giving {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, dialect.Postgres)
			direct, db := dbtest.OpenURL(t, url), dbtest.OpenURL(t, url+params)
			run(t, direct, things)
			for again := true; again; {
				run(t, direct, "DELETE FROM things")
				run(t, direct, insertThing, uuid.New(), "a")
				run(t, direct, insertThing, uuid.New(), "b")
				tx, err := direct.SQL().BeginTx(t.Context(), nil)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := tx.Exec(`UPDATE things SET parent = id WHERE name = 'b'`); err != nil {
					t.Fatal(err)
				}
				done := make(chan error, 1)
				go func() { done <- write(t.Context(), db) }()
				for waits := false; !waits; {
					const waiting = `SELECT count(*) > 0 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
					if err := direct.SQL().QueryRowContext(t.Context(), waiting).Scan(&waits); err != nil {
						t.Fatal(err)
					}
				}
				again = f(t, tx, done)
			}
		})
	}
}

// A statement that PostgreSQL chose to undo, for it and another waited for each other,
// is sent again once the other has what it waited for.
func TestDeadlockIsRepeated(t *testing.T) {
	eachGiving(t, "", func(t *testing.T, tx *sql.Tx, done chan error) bool {
		_, err := tx.Exec(`UPDATE things SET parent = id WHERE name = 'a'`)
		chosen := pq.As(err, pqerror.TRDeadlockDetected) != nil // the transaction itself
		if err != nil && !chosen {
			t.Error(err)
		}
		time.Sleep(20 * time.Millisecond) // so that a repeat comes while the rows are held
		if err := tx.Commit(); err != nil && !chosen {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		return chosen
	})
}

// One that PostgreSQL undid because it could not put it in an order with another is sent
// again, too. Only who asks for such sessions in the URL has them.
func TestOrderIsRepeated(t *testing.T) {
	eachGiving(t, "&default_transaction_isolation=serializable", func(t *testing.T, tx *sql.Tx, done chan error) bool {
		if err := tx.Commit(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
		return false
	})
}

// What a role or a database sets for its sessions does not change what requests see.
func TestIsolationIsFixed(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	alterDatabase(t, dbtest.OpenURL(t, url), "SET default_transaction_isolation = serializable")
	got, err := query(t.Context(), dbtest.OpenURL(t, url).Driver(), "SHOW transaction_isolation")
	if err != nil || len(got) != 1 || got[0] != "read committed" {
		t.Error(got, err)
	}
}

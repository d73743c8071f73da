package database_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
	"modernc.org/sqlite"

	"records/internal/database"
	"records/internal/dbtest"
)

// Reads do not wait for a writing transaction, and do not see it.
func TestSQLiteReadersDoNotWait(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	tx, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if err := tx.Exec(t.Context(), insertThing, []any{uuid.New(), "new"}, nil); err != nil {
		t.Fatal(err)
	}
	within(t, time.Second, func() {
		if names, err := query(t.Context(), db.Driver(), `SELECT "name" FROM "things"`); err != nil || len(names) != 0 {
			t.Error(names, err)
		}
	})
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	if names, err := query(t.Context(), db.Driver(), `SELECT "name" FROM "things"`); err != nil || len(names) != 1 {
		t.Error(names, err)
	}
}

// A reading transaction sees one snapshot, cannot write, and hinders no writer.
func TestSQLiteReadOnlyTransaction(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	tx, err := begin(ctx, db, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	count := func() string {
		texts, err := query(ctx, tx, `SELECT count(*) FROM "things"`)
		if err != nil {
			t.Fatal(err)
		}
		return texts[0]
	}
	before := count()
	if _, err := exec(ctx, db, insertThing, uuid.New(), "new"); err != nil {
		t.Error(err)
	}
	if count() != before {
		t.Error("the snapshot moved")
	}
	if err := tx.Exec(ctx, insertThing, []any{uuid.New(), "newer"}, nil); err == nil {
		t.Error("a reading transaction wrote")
	}
}

// What a writing query returns is read by then: nobody waits for its rows to be
// closed.
func TestSQLiteReturning(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	for i := range 3 {
		rows := &entsql.Rows{}
		if err := db.Driver().Query(ctx, insertThing+` RETURNING "name"`, []any{uuid.New(), fmt.Sprint(i)}, rows); err != nil {
			t.Fatal(err)
		}
		names := 0
		for rows.Next() {
			names++
		}
		if err := rows.Err(); err != nil || names != 1 {
			t.Error(names, err)
		}
	}
	unread := &entsql.Rows{}
	if err := db.Driver().Query(ctx, insertThing+` RETURNING "name"`, []any{uuid.New(), "unread"}, unread); err != nil {
		t.Fatal(err)
	}
	defer unread.Close()
	names, err := query(ctx, db.Driver(), `DELETE FROM "things" RETURNING "name"`)
	if err != nil || len(names) != 4 {
		t.Error(names, err)
	}
}

// Writers wait for their turn, which keeps their order, and not for the pool, which
// does not.
func TestSQLiteWritersTakeTurns(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	before := db.SQL().Stats().WaitCount
	tx, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for range 20 {
		writers.Go(func() {
			if _, err := exec(t.Context(), db, insertThing, uuid.New(), uuid.NewString()); err != nil {
				t.Error(err)
			}
		})
	}
	time.Sleep(20 * time.Millisecond) // let them come while the transaction is open
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	writers.Wait()
	if waited := db.SQL().Stats().WaitCount - before; waited != 0 {
		t.Errorf("%d writers waited for the pool", waited)
	}
}

// A writer gives up with its context, and its place goes to the next.
func TestSQLiteWriterGivesUp(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	tx, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	within(t, limit, func() {
		_, err := exec(ctx, db, insertThing, uuid.New(), "never")
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, database.ErrOutcomeUnknown) {
			t.Error(err)
		}
	})
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if _, err := exec(t.Context(), db, insertThing, uuid.New(), "new"); err != nil {
		t.Error(err)
	}
}

// A transaction that its context ended leaves its place, closed or not.
func TestSQLiteForgottenTransaction(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := db.Driver().Tx(ctx); err != nil {
		t.Fatal(err)
	}
	cancel()
	within(t, time.Second, func() {
		if _, err := exec(t.Context(), db, insertThing, uuid.New(), "new"); err != nil {
			t.Error(err)
		}
	})
}

// pause() takes its time in the middle of a statement.
func init() {
	sqlite.MustRegisterScalarFunction("pause", 0, func(*sqlite.FunctionContext, []driver.Value) (driver.Value, error) {
		time.Sleep(2 * patience)
		return "paused", nil
	})
}

// A write that has begun is finished after its context has ended: its outcome is
// certain.
func TestSQLiteWriteIsFinished(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if n, err := exec(ctx, db, `INSERT INTO notes VALUES (pause())`); n != 1 || err != nil || ctx.Err() == nil {
		t.Error(n, err, ctx.Err())
	}
	texts, err := query(t.Context(), db.Driver(), `SELECT text FROM notes`)
	if err != nil || len(texts) != 1 {
		t.Error(texts, err)
	}
}

// Its rows are there too: they were read before it was committed.
func TestSQLiteRowsOutliveTheContext(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	texts, err := query(ctx, db.Driver(), `INSERT INTO notes VALUES (pause()) RETURNING text`)
	if err != nil || len(texts) != 1 || texts[0] != "paused" || ctx.Err() == nil {
		t.Error(texts, err, ctx.Err())
	}
}

// A read ends with its context.
func TestSQLiteReadIsStopped(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	within(t, limit, func() {
		_, err := query(ctx, db.Driver(), `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n`)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

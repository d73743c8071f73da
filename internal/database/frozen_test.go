package database_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

const (
	// patience is how long a statement on a silent server is given.
	patience = 500 * time.Millisecond
	// limit is what it may take at most: its context, and a second.
	limit = patience + time.Second
)

// contexts are the ways in which a statement's context ends.
var contexts = map[string]func(context.Context) (context.Context, context.CancelFunc){
	"deadline": func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, patience)
	},
	"cancelled": func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(patience, cancel)
		return ctx, cancel
	},
}

// eachEnd prepares something to do, lets the database fall silent, and sees to it
// that what was prepared ends with its context, in whichever way that ends.
func eachEnd(t *testing.T, prepare func(t *testing.T, b broken, ctx context.Context) func() error) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	direct := dbtest.OpenURL(t, url)
	run(t, direct, things)
	var running sync.WaitGroup
	for name, ending := range contexts {
		b := broken{direct: direct}.through(t, url)
		ctx, cancel := ending(t.Context())
		defer cancel()
		f := prepare(t, b, ctx)
		b.Freeze()
		running.Go(func() {
			within(t, limit, func() {
				if err := f(); !database.IsUnavailable(err) || !errors.Is(err, ctx.Err()) {
					t.Errorf("%s: %v, and the context: %v", name, err, ctx.Err())
				}
			})
		})
	}
	running.Wait()
}

func TestFrozenWrite(t *testing.T) {
	eachEnd(t, func(t *testing.T, b broken, ctx context.Context) func() error {
		return func() error {
			_, err := exec(ctx, b.db, insertThing, uuid.New(), "new")
			if !errors.Is(err, database.ErrOutcomeUnknown) {
				t.Error(err)
			}
			return err
		}
	})
}

func TestFrozenRead(t *testing.T) {
	eachEnd(t, func(t *testing.T, b broken, ctx context.Context) func() error {
		return func() error {
			_, err := query(ctx, b.db.Driver(), `SELECT "name" FROM "things"`)
			if errors.Is(err, database.ErrOutcomeUnknown) {
				t.Error(err)
			}
			return err
		}
	})
}

func TestFrozenPing(t *testing.T) {
	eachEnd(t, func(t *testing.T, b broken, ctx context.Context) func() error {
		return func() error { return b.db.Ping(ctx) }
	})
}

func TestFrozenPrepared(t *testing.T) {
	eachEnd(t, func(t *testing.T, b broken, ctx context.Context) func() error {
		stmt, err := b.db.SQL().PrepareContext(ctx, insertThing)
		if err != nil {
			t.Fatal(err)
		}
		return func() error {
			_, err := stmt.ExecContext(ctx, uuid.New(), "new")
			return err
		}
	})
}

// All connections are taken: the statement needs a new one, which is accepted and
// not answered.
func TestFrozenConnect(t *testing.T) {
	eachEnd(t, func(t *testing.T, b broken, ctx context.Context) func() error {
		conn, err := b.db.SQL().Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		return func() error { return b.db.Ping(ctx) }
	})
}

func TestFrozenBegin(t *testing.T) {
	eachEnd(t, func(t *testing.T, b broken, ctx context.Context) func() error {
		return func() error {
			_, err := b.db.Driver().Tx(ctx)
			return err
		}
	})
}

// A commit has no context of its own: the transaction's governs it.
func TestFrozenCommit(t *testing.T) {
	eachEnd(t, func(t *testing.T, b broken, ctx context.Context) func() error {
		tx, err := b.db.Driver().Tx(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Exec(ctx, insertThing, []any{uuid.New(), uuid.NewString()}, nil); err != nil {
			t.Fatal(err)
		}
		return func() error {
			err := tx.Commit()
			if !errors.Is(err, database.ErrOutcomeUnknown) {
				t.Error(err)
			}
			return err
		}
	})
}

// Rolling back after the context has ended does not hang either.
func TestFrozenRollback(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	tx, err := b.db.Driver().Tx(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b.Freeze()
	within(t, limit, func() {
		_ = tx.Exec(ctx, insertThing, []any{uuid.New(), "new"}, nil)
		_ = tx.Rollback()
	})
}

func TestFrozenWhileReadingRows(t *testing.T) {
	eachEnd(t, func(t *testing.T, b broken, ctx context.Context) func() error {
		rows, err := b.db.SQL().QueryContext(ctx, `SELECT repeat('x', 10000) FROM generate_series(1, $1)`, 3000)
		if err != nil {
			t.Fatal(err)
		}
		return func() error {
			for rows.Next() {
			}
			_ = rows.Close()
			return rows.Err()
		}
	})
}

// A context that ends while the server answers is a cancelled statement: it is
// certain that it had no effect.
func TestCancelledWriteIsCertain(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	within(t, limit, func() {
		_, err := exec(ctx, b.db, `INSERT INTO "things" ("id", "name") SELECT $1, 'new' FROM pg_sleep(10)`, uuid.New())
		if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, database.ErrOutcomeUnknown) {
			t.Error(err)
		}
	})
	if n := b.count(t, "new"); n != 0 {
		t.Errorf("%d rows", n)
	}
}

// After the silence the pool holds no connection that would not answer.
func TestThawed(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	b.Freeze()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := b.db.Ping(ctx); err == nil {
		t.Error("a silent server answered")
	}
	b.Restore()
	within(t, time.Second, func() {
		if _, err := exec(t.Context(), b.db, insertThing, uuid.New(), "new"); err != nil {
			t.Error(err)
		}
	})
}

func TestFrozenOverTLS(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	run(t, dbtest.OpenURL(t, url), things)
	proxy := dbtest.NewProxy(t, overTLS(t, url))
	db := dbtest.OpenURL(t, proxy.URL())
	for range 2 { // the second time it is prepared
		if _, err := exec(t.Context(), db, insertThing, uuid.New(), uuid.NewString()); err != nil {
			t.Fatal(err)
		}
	}
	proxy.Freeze()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	within(t, limit, func() {
		if _, err := exec(ctx, db, insertThing, uuid.New(), "newer"); !errors.Is(err, database.ErrOutcomeUnknown) {
			t.Error(err)
		}
	})
	proxy.Restore()
	within(t, time.Second, func() {
		if _, err := exec(t.Context(), db, insertThing, uuid.New(), "newest"); err != nil {
			t.Error(err)
		}
	})
}

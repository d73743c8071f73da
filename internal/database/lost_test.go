package database_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

const insertThing = `INSERT INTO "things" ("id", "name") VALUES ($1, $2)`

// cuts are the ways in which a connection may break around one statement.
var cuts = map[string]dbtest.Cut{
	"reply closed":      {},
	"reply reset":       {Reset: true},
	"reply cut short":   {Partial: true},
	"never delivered":   {Undelivered: true},
	"undelivered reset": {Undelivered: true, Reset: true},
	"three in a row":    {Times: 3},
}

// eachCut runs f with a database whose connections break at match.
func eachCut(t *testing.T, match string, f func(t *testing.T, b broken, cut dbtest.Cut)) {
	t.Parallel()
	for name, cut := range cuts {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBroken(t)
			run(t, b.direct, insertThing, "11111111-1111-7111-8111-111111111111", "old")
			cut.Match = match
			b.Cut(cut)
			f(t, b, cut)
		})
	}
}

func TestLostInsertIsThereOnce(t *testing.T) {
	eachCut(t, "INSERT INTO", func(t *testing.T, b broken, cut dbtest.Cut) {
		if err := b.db.Driver().Exec(t.Context(), insertThing, []any{uuid.New(), "new"}, nil); err != nil {
			t.Error(err)
		}
		if n := b.count(t, "new"); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostInsertReportsAnotherDuplicate(t *testing.T) {
	eachCut(t, "INSERT INTO", func(t *testing.T, b broken, cut dbtest.Cut) {
		_, err := exec(t.Context(), b.db, insertThing, uuid.New(), "old")
		if !database.IsUniqueViolation(err) || database.IsUnavailable(err) {
			t.Error(err)
		}
	})
}

func TestLostUpdateTakesEffect(t *testing.T) {
	eachCut(t, "UPDATE", func(t *testing.T, b broken, cut dbtest.Cut) {
		n, err := exec(t.Context(), b.db, `UPDATE "things" SET "name" = $1 WHERE "id" = $2`, "new", "11111111-1111-7111-8111-111111111111")
		if n != 1 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		if n := b.count(t, "new"); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostUpdateReturningTakesEffect(t *testing.T) {
	eachCut(t, "UPDATE", func(t *testing.T, b broken, cut dbtest.Cut) {
		names, err := query(t.Context(), b.db.Driver(), `UPDATE "things" SET "name" = $1 WHERE "name" = $1 OR "name" = $2 RETURNING "name"`, "new", "old")
		if cut.Partial { // the rows were read before the loss showed
			if !errors.Is(err, database.ErrOutcomeUnknown) {
				t.Errorf("%v, %v", names, err)
			}
			return
		}
		if len(names) != 1 || names[0] != "new" || err != nil {
			t.Errorf("%v, %v", names, err)
		}
	})
}

// A delete that took effect never says that nothing was there.
func TestLostDeleteNeverSaysNone(t *testing.T) {
	eachCut(t, "DELETE", func(t *testing.T, b broken, cut dbtest.Cut) {
		n, err := exec(t.Context(), b.db, `DELETE FROM "things" WHERE "name" = $1`, "old")
		if cut.Undelivered {
			if n != 1 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		} else if !errors.Is(err, database.ErrOutcomeUnknown) || !database.IsUnavailable(err) {
			t.Errorf("%d, %v", n, err)
		}
		if n := b.count(t, "old"); n != 0 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostDeleteReturningNeverSaysNone(t *testing.T) {
	eachCut(t, "DELETE", func(t *testing.T, b broken, cut dbtest.Cut) {
		names, err := query(t.Context(), b.db.Driver(), `DELETE FROM "things" WHERE "name" = $1 RETURNING "name"`, "old")
		if cut.Undelivered {
			if len(names) != 1 || err != nil {
				t.Errorf("%v, %v", names, err)
			}
		} else if !errors.Is(err, database.ErrOutcomeUnknown) {
			t.Errorf("%v, %v", names, err)
		}
	})
}

func TestLostInsertReturningIsUnknown(t *testing.T) {
	eachCut(t, "INSERT INTO", func(t *testing.T, b broken, cut dbtest.Cut) {
		names, err := query(t.Context(), b.db.Driver(), insertThing+` RETURNING "name"`, uuid.New(), "new")
		if !errors.Is(err, database.ErrOutcomeUnknown) {
			t.Errorf("%v, %v", names, err)
		}
		if n := b.count(t, "new"); n > 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostReadIsRepeated(t *testing.T) {
	eachCut(t, "SELECT", func(t *testing.T, b broken, cut dbtest.Cut) {
		names, err := query(t.Context(), b.db.Driver(), `SELECT "name" FROM "things" WHERE "name" = $1`, "old")
		if cut.Partial {
			if !database.IsUnavailable(err) || errors.Is(err, database.ErrOutcomeUnknown) {
				t.Errorf("%v, %v", names, err)
			}
			return
		}
		if len(names) != 1 || err != nil {
			t.Errorf("%v, %v", names, err)
		}
	})
}

// Below Ent nothing is repeated that may have had effect, by database/sql either.
func TestPoolRepeatsNoWrite(t *testing.T) {
	eachCut(t, "INSERT INTO", func(t *testing.T, b broken, cut dbtest.Cut) {
		run(t, b.direct, `ALTER TABLE things ALTER id SET DEFAULT gen_random_uuid(), DROP CONSTRAINT things_name_key`)
		_, err := b.db.SQL().ExecContext(t.Context(), `INSERT INTO things (name) VALUES ($1)`, "new")
		if !errors.Is(err, database.ErrOutcomeUnknown) || !database.IsUnavailable(err) {
			t.Error(err)
		}
		want := 1
		if cut.Undelivered {
			want = 0
		}
		if n := b.count(t, "new"); n != want {
			t.Errorf("%d rows, want %d", n, want)
		}
	})
}

func TestLostPreparedWriteIsUnknown(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	stmt, err := b.db.SQL().PrepareContext(t.Context(), insertThing)
	if err != nil {
		t.Fatal(err)
	}
	defer stmt.Close()
	b.Cut(dbtest.Cut{Match: "prepared"})
	if _, err := stmt.ExecContext(t.Context(), uuid.New(), "prepared"); !errors.Is(err, database.ErrOutcomeUnknown) {
		t.Error(err)
	}
	if n := b.count(t, "prepared"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

func TestLostCommitIsUnknown(t *testing.T) {
	eachCut(t, "COMMIT", func(t *testing.T, b broken, cut dbtest.Cut) {
		tx, err := b.db.Driver().Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Exec(t.Context(), insertThing, []any{uuid.New(), "new"}, nil); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); !errors.Is(err, database.ErrOutcomeUnknown) {
			t.Error(err)
		}
		if n := b.count(t, "new"); n > 1 {
			t.Errorf("%d rows", n)
		}
	})
}

// In a transaction a lost statement is certain: the transaction is undone.
func TestLostInTransactionIsUndone(t *testing.T) {
	eachCut(t, "INSERT INTO", func(t *testing.T, b broken, cut dbtest.Cut) {
		tx, err := b.db.Driver().Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		err = tx.Exec(t.Context(), insertThing, []any{uuid.New(), "new"}, nil)
		if !database.IsUnavailable(err) || errors.Is(err, database.ErrOutcomeUnknown) {
			t.Error(err)
		}
		if err := tx.Commit(); err == nil || errors.Is(err, database.ErrOutcomeUnknown) {
			t.Errorf("commit: %v", err)
		}
		if n := b.count(t, "new"); n != 0 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostWithoutEndIsUnknown(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	b.Cut(dbtest.Cut{Match: "INSERT INTO", Times: 99})
	_, err := exec(t.Context(), b.db, insertThing, uuid.New(), "new")
	if !errors.Is(err, database.ErrOutcomeUnknown) || errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	_, err = exec(ctx, b.db, insertThing, uuid.New(), "newer")
	if !errors.Is(err, database.ErrOutcomeUnknown) || !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// A server that goes away with the reply and comes back is waited for.
func TestLostInsertOutlastsARestart(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	b.Cut(dbtest.Cut{Match: "INSERT INTO"})
	restarted := make(chan struct{})
	go func() {
		defer close(restarted)
		for b.count(t, "new") == 0 {
			time.Sleep(time.Millisecond)
		}
		b.Refuse()
		time.Sleep(300 * time.Millisecond)
		b.Restore()
	}()
	if _, err := exec(t.Context(), b.db, insertThing, uuid.New(), "new"); err != nil {
		t.Error(err)
	}
	<-restarted
	if n := b.count(t, "new"); n != 1 {
		t.Errorf("%d rows", n)
	}
}

package database_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

// cuts are the ways in which a connection may break around one statement.
var cuts = map[string]dbtest.Cut{
	"reply closed":      {},
	"reply reset":       {Reset: true},
	"reply cut short":   {Partial: true},
	"never delivered":   {Undelivered: true},
	"undelivered reset": {Undelivered: true, Reset: true},
	"three in a row":    {Times: 3},
}

// The statements that are cut.
const (
	insertThing     = `INSERT INTO "things" ("id", "name") VALUES ($1, $2)`
	insertReturning = insertThing + ` RETURNING "name"`
	insertNote      = `INSERT INTO notes (text) VALUES ($1)`
	updateThing     = `UPDATE "things" SET "name" = $1 WHERE "name" IN ($1, $2)`
	updateReturning = updateThing + ` RETURNING "name"`
	deleteThing     = `DELETE FROM "things" WHERE "name" = $1`
	deleteReturning = deleteThing + ` RETURNING "name"`
	selectThing     = `SELECT "name" FROM "things" WHERE "name" = $1`
)

// trial is one way to break the connection, with two names of its own: there is a
// row called old, and none called new.
type trial struct {
	broken
	cut      dbtest.Cut
	old, new string
}

// eachCut runs f with connections that break, in each way, at a statement: as it
// is, and prepared by then.
func eachCut(t *testing.T, statement string, f func(t *testing.T, b trial)) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	direct := dbtest.OpenURL(t, url)
	run(t, direct, things)
	for name, cut := range cuts {
		for _, prepared := range []bool{false, true} {
			name, cut := name, cut
			if prepared {
				name += " prepared"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				b := trial{broken{direct: direct}.through(t, url), cut, "old <" + name + ">", "new <" + name + ">"}
				run(t, direct, insertThing, uuid.New(), b.old)
				cut.Match = "<" + name + ">"
				if prepared {
					b.prepare(t, statement)
				}
				b.Cut(cut)
				f(t, b)
			})
		}
	}
}

// prepare uses a statement, on no row that matters, until it is prepared.
func (b broken) prepare(t *testing.T, statement string) {
	t.Helper()
	for range 3 {
		args := []any{uuid.New(), uuid.NewString()}[:strings.Count(statement, "$")-strings.Count(statement, "IN ($1")]
		run(t, b.db, statement, args...)
	}
	var n int
	if err := b.db.SQL().QueryRow("SELECT count(*) FROM pg_prepared_statements").Scan(&n); err != nil || n != 1 {
		t.Fatalf("%d statements are prepared, %v", n, err)
	}
}

func TestLostInsertIsThereOnce(t *testing.T) {
	eachCut(t, insertThing, func(t *testing.T, b trial) {
		if err := b.db.Driver().Exec(t.Context(), insertThing, []any{uuid.New(), b.new}, nil); err != nil {
			t.Error(err)
		}
		if n := b.count(t, b.new); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostInsertReportsAnotherDuplicate(t *testing.T) {
	eachCut(t, insertThing, func(t *testing.T, b trial) {
		_, err := exec(t.Context(), b.db, insertThing, uuid.New(), b.old)
		if !database.IsUniqueViolation(err) || database.IsUnavailable(err) {
			t.Error(err)
		}
	})
}

func TestLostUpdateTakesEffect(t *testing.T) {
	eachCut(t, updateThing, func(t *testing.T, b trial) {
		n, err := exec(t.Context(), b.db, updateThing, b.new, b.old)
		if n != 1 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
		if n := b.count(t, b.new); n != 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostUpdateReturningTakesEffect(t *testing.T) {
	eachCut(t, updateReturning, func(t *testing.T, b trial) {
		names, err := query(t.Context(), b.db.Driver(), updateReturning, b.new, b.old)
		if b.cut.Partial { // the rows were read before the loss showed
			if !errors.Is(err, database.ErrOutcomeUnknown) {
				t.Errorf("%v, %v", names, err)
			}
			return
		}
		if len(names) != 1 || names[0] != b.new || err != nil {
			t.Errorf("%v, %v", names, err)
		}
	})
}

// A delete that took effect never says that nothing was there.
func TestLostDeleteNeverSaysNone(t *testing.T) {
	eachCut(t, deleteThing, func(t *testing.T, b trial) {
		n, err := exec(t.Context(), b.db, deleteThing, b.old)
		if b.cut.Undelivered {
			if n != 1 || err != nil {
				t.Errorf("%d, %v", n, err)
			}
		} else if !errors.Is(err, database.ErrOutcomeUnknown) || !database.IsUnavailable(err) {
			t.Errorf("%d, %v", n, err)
		}
		if n := b.count(t, b.old); n != 0 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostDeleteReturningNeverSaysNone(t *testing.T) {
	eachCut(t, deleteReturning, func(t *testing.T, b trial) {
		names, err := query(t.Context(), b.db.Driver(), deleteReturning, b.old)
		if b.cut.Undelivered {
			if len(names) != 1 || err != nil {
				t.Errorf("%v, %v", names, err)
			}
		} else if !errors.Is(err, database.ErrOutcomeUnknown) {
			t.Errorf("%v, %v", names, err)
		}
	})
}

func TestLostInsertReturningIsUnknown(t *testing.T) {
	eachCut(t, insertReturning, func(t *testing.T, b trial) {
		names, err := query(t.Context(), b.db.Driver(), insertReturning, uuid.New(), b.new)
		if !errors.Is(err, database.ErrOutcomeUnknown) {
			t.Errorf("%v, %v", names, err)
		}
		if n := b.count(t, b.new); n > 1 {
			t.Errorf("%d rows", n)
		}
	})
}

func TestLostReadIsRepeated(t *testing.T) {
	eachCut(t, selectThing, func(t *testing.T, b trial) {
		names, err := query(t.Context(), b.db.Driver(), selectThing, b.old)
		if b.cut.Partial {
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
	eachCut(t, insertNote, func(t *testing.T, b trial) {
		_, err := b.db.SQL().ExecContext(t.Context(), insertNote, b.new)
		if !errors.Is(err, database.ErrOutcomeUnknown) || !database.IsUnavailable(err) {
			t.Error(err)
		}
		want := 1
		if b.cut.Undelivered {
			want = 0
		}
		var n int
		if err := b.direct.SQL().QueryRow("SELECT count(*) FROM notes WHERE text = $1", b.new).Scan(&n); err != nil || n != want {
			t.Errorf("%d rows, want %d; %v", n, want, err)
		}
	})
}

// While a statement is prepared, nothing was done yet: it is sent again.
func TestLostPreparingIsHarmless(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	direct := dbtest.OpenURL(t, url)
	run(t, direct, things)
	for name, cut := range cuts {
		if cut.Times > 1 {
			continue // the second one cuts the statement itself
		}
		b := broken{direct: direct}.through(t, url)
		cut.Match = insertThing
		run(t, b.db, insertThing, uuid.New(), uuid.NewString())
		b.Cut(cut)
		before := b.Writes()
		if _, err := b.db.SQL().ExecContext(t.Context(), insertThing, uuid.New(), name); err != nil || b.count(t, name) != 1 {
			t.Errorf("%s: %d rows, %v", name, b.count(t, name), err)
		}
		if b.Writes() == before+1 {
			t.Errorf("%s: nothing was cut", name)
		}
	}
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
	eachCut(t, insertThing, func(t *testing.T, b trial) {
		b.Restore() // the cut of the statement
		b.cut.Match = "COMMIT"
		b.Cut(b.cut)
		tx, err := b.db.Driver().Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := tx.Exec(t.Context(), insertThing, []any{uuid.New(), b.new}, nil); err != nil {
			t.Fatal(err)
		}
		if err := tx.Commit(); !errors.Is(err, database.ErrOutcomeUnknown) {
			t.Error(err)
		}
		if n := b.count(t, b.new); n > 1 {
			t.Errorf("%d rows", n)
		}
	})
}

// In a transaction a lost statement is certain: the transaction is undone.
func TestLostInTransactionIsUndone(t *testing.T) {
	eachCut(t, insertThing, func(t *testing.T, b trial) {
		tx, err := b.db.Driver().Tx(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		err = tx.Exec(t.Context(), insertThing, []any{uuid.New(), b.new}, nil)
		if !database.IsUnavailable(err) || errors.Is(err, database.ErrOutcomeUnknown) {
			t.Error(err)
		}
		if err := tx.Commit(); err == nil || errors.Is(err, database.ErrOutcomeUnknown) {
			t.Errorf("commit: %v", err)
		}
		if n := b.count(t, b.new); n != 0 {
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

// Where the context ends after a write was answered in part, nobody knows whether it
// was committed.
func TestEndBeforeTheRowsOfAWriteAreRead(t *testing.T) {
	t.Parallel()
	b := newBroken(t)
	run(t, b.db, insertThing, uuid.New(), "old")
	ctx, cancel := context.WithCancel(t.Context())
	rows := &entsql.Rows{}
	if err := b.db.Driver().Query(ctx, updateReturning, []any{"new", "old"}, rows); err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	cancel()
	_, err := rows.Columns()
	for ; err == nil; _, err = rows.Columns() { // until database/sql has noticed
		time.Sleep(time.Millisecond)
	}
	if !errors.Is(err, database.ErrOutcomeUnknown) || rows.Next() || !errors.Is(rows.Err(), database.ErrOutcomeUnknown) {
		t.Errorf("%v, %v", err, rows.Err())
	}
}

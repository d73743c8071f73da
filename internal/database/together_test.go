package database_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

// outcome is what a write learned.
type outcome struct {
	texts []string
	err   error
}

// inLine has writes come one after the other while a transaction is open. It returns
// what ends the transaction, and where the outcome of each arrives.
func inLine(t *testing.T, db *database.DB, writes ...func() outcome) (release func(), outcomes []chan outcome) {
	t.Helper()
	tx, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range writes {
		outcomes = append(outcomes, make(chan outcome, 1))
		go func() { outcomes[i] <- w() }()
		for until := time.Now().Add(limit); db.Waiting(t) < i+1; time.Sleep(time.Millisecond) {
			if time.Now().After(until) {
				t.Fatalf("%d in line; want %d", db.Waiting(t), i+1)
			}
		}
	}
	return func() {
		if err := tx.Commit(); err != nil {
			t.Fatal(err)
		}
	}, outcomes
}

// returning is a write whose rows are read.
func returning(ctx context.Context, db *database.DB, statement string, args ...any) func() outcome {
	return func() outcome {
		texts, err := query(ctx, db.Driver(), statement, args...)
		return outcome{texts, err}
	}
}

// affecting is a write whose number of rows is read.
func affecting(ctx context.Context, db *database.DB, statement string, args ...any) func() outcome {
	return func() outcome {
		n, err := exec(ctx, db, statement, args...)
		return outcome{[]string{fmt.Sprint(n)}, err}
	}
}

func names(t *testing.T, db *database.DB) []string {
	t.Helper()
	texts, err := query(t.Context(), db.Driver(), `SELECT "name" FROM "things" ORDER BY "rowid"`)
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// Writes that wait are committed together, in their order, and each has its own
// outcome: one that fails undoes itself alone.
func TestTogetherEachItsOwnOutcome(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	run(t, db, `CREATE TRIGGER guard BEFORE INSERT ON things WHEN NEW.name = 'bad' BEGIN SELECT RAISE(ABORT, 'refused'); END`)
	commits := 0
	db.OnCommit(t, func() { commits++ })
	db.Together(t, time.Hour)
	ctx := t.Context()
	release, outcomes := inLine(t, db,
		affecting(ctx, db, insertThing, uuid.New(), "a"),
		returning(ctx, db, insertThing+` RETURNING "name"`, uuid.New(), "b"),
		affecting(ctx, db, insertThing, uuid.New(), "a"),
		returning(ctx, db, insertThing+` RETURNING "name"`, uuid.New(), "bad"),
		affecting(ctx, db, `INSERT INTO things (id, name, parent) VALUES ($1, $2, 'absent')`, uuid.New(), "c"),
		affecting(ctx, db, `INSERT INTO nowhere VALUES (1)`),
		affecting(ctx, db, `INSERT INTO notes VALUES ($1), ($2), ($3)`, "1", "2", nil),
		returning(ctx, db, `UPDATE "things" SET "name" = "name" || '2' RETURNING "name"`),
		affecting(ctx, db, `DELETE FROM things WHERE name = 'a'`),
	)
	release()
	for i, want := range []struct {
		texts   string
		refused string
	}{
		{"1", ""}, {"b", ""}, {"", "UNIQUE"}, {"", "refused"}, {"", "FOREIGN KEY"}, {"", "no such table"}, {"", "NOT NULL"}, {"a2,b2", ""}, {"0", ""},
	} {
		switch o := <-outcomes[i]; {
		case want.refused != "" && (o.err == nil || !strings.Contains(o.err.Error(), want.refused) || database.IsUnavailable(o.err) != (want.refused == "no such table")):
			t.Errorf("%d: %v; want %s", i, o.err, want.refused)
		case want.refused == "" && (o.err != nil || strings.Join(o.texts, ",") != want.texts):
			t.Errorf("%d: %v, %v; want %s", i, o.texts, o.err, want.texts)
		}
	}
	if all := names(t, db); !slices.Equal(all, []string{"a2", "b2"}) {
		t.Errorf("there is %v", all)
	}
	if notes, err := query(ctx, db.Driver(), `SELECT text FROM notes`); err != nil || len(notes) != 0 {
		t.Error("half a statement stayed:", notes, err)
	}
	if commits != 2 { // the transaction that held them up, and theirs
		t.Errorf("%d commits", commits)
	}
}

// After so long those that wait are left to the next transaction.
func TestTogetherNotForLong(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	commits := 0
	db.OnCommit(t, func() { commits++ })
	db.Together(t, -1)
	release, outcomes := inLine(t, db,
		affecting(t.Context(), db, insertThing, uuid.New(), "a"),
		returning(t.Context(), db, insertThing+` RETURNING "name"`, uuid.New(), "b"),
		affecting(t.Context(), db, insertThing, uuid.New(), "c"),
	)
	release()
	for i := range outcomes {
		if o := <-outcomes[i]; o.err != nil {
			t.Error(o.err)
		}
	}
	if all := names(t, db); !slices.Equal(all, []string{"a", "b", "c"}) || commits != 4 {
		t.Errorf("there is %v after %d commits", all, commits)
	}
}

// One whose context ends in line does nothing, and says so at once; the others go
// on.
func TestTogetherWithoutWhoGaveUp(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	impatient, giveUp := context.WithCancel(t.Context())
	release, outcomes := inLine(t, db,
		affecting(t.Context(), db, insertThing, uuid.New(), "a"),
		returning(impatient, db, insertThing+` RETURNING "name"`, uuid.New(), "b"),
		affecting(t.Context(), db, insertThing, uuid.New(), "c"),
	)
	giveUp()
	within(t, limit, func() {
		if o := <-outcomes[1]; !errors.Is(o.err, context.Canceled) || errors.Is(o.err, database.ErrOutcomeUnknown) {
			t.Error(o.err)
		}
	})
	release()
	for _, i := range []int{0, 2} {
		if o := <-outcomes[i]; o.err != nil {
			t.Error(o.err)
		}
	}
	if all := names(t, db); !slices.Equal(all, []string{"a", "c"}) {
		t.Errorf("there is %v", all)
	}
}

// Where SQLite gives the whole transaction up, or the commit fails, all fail, none
// by its own fault but the one that did it, and nothing stays. The next write goes
// on.
func TestTogetherAllFail(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, test := range map[string]struct{ prepare, fault, cure string }{
		"trigger": {
			prepare: `CREATE TRIGGER guard BEFORE INSERT ON notes BEGIN SELECT RAISE(ROLLBACK, 'refused'); END`,
			fault:   `INSERT INTO notes VALUES ('x')`,
		},
		"commit": {
			prepare: `CREATE TABLE late (parent VARCHAR(36) REFERENCES things (id) DEFERRABLE INITIALLY DEFERRED)`,
			fault:   `INSERT INTO late VALUES ('absent')`,
		},
		"full disk": {
			prepare: `PRAGMA max_page_count = 1`, // SQLite makes it the present number
			fault:   `INSERT INTO notes VALUES (hex(zeroblob(1000000)))`,
			cure:    `PRAGMA max_page_count = 1000000`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.Open(t, dialect.SQLite)
			db.Together(t, time.Hour)
			run(t, db, things)
			run(t, db, insertThing, uuid.New(), "before")
			run(t, db, test.prepare)
			release, outcomes := inLine(t, db,
				affecting(ctx, db, `UPDATE things SET name = 'changed'`),
				returning(ctx, db, `DELETE FROM things RETURNING name`),
				affecting(ctx, db, test.fault),
				affecting(ctx, db, insertThing, uuid.New(), "behind"),
			)
			release()
			want := []string{"before"}
			for i, o := range outcomes {
				o := <-o
				if i == 3 && o.err == nil { // it came too late to be undone with them
					want = append(want, "behind")
					continue
				}
				if o.err == nil || i != 2 && (!database.IsUnavailable(o.err) || database.IsForeignKeyViolation(o.err)) || errors.Is(o.err, database.ErrOutcomeUnknown) {
					t.Errorf("%d: %v", i, o.err)
				}
			}
			if all := names(t, db); !slices.Equal(all, want) {
				t.Errorf("there is %v; want %v", all, want)
			}
			run(t, db, test.cure)
			if _, err := exec(ctx, db, insertThing, uuid.New(), "after"); err != nil {
				t.Error(err)
			}
		})
	}
}

// A transaction that SQLite has given up takes no more statements, for they would
// be committed one by one, and cannot be committed.
func TestSQLiteTransactionThatIsOver(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	run(t, db, `CREATE TRIGGER guard BEFORE INSERT ON notes BEGIN SELECT RAISE(ROLLBACK, 'refused'); END`)
	tx, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Exec(t.Context(), `INSERT INTO notes VALUES ('x')`, []any{}, nil); err == nil {
		t.Error("not refused")
	}
	if err := tx.Exec(t.Context(), insertThing, []any{uuid.New(), "a"}, nil); err == nil {
		t.Error("it goes on")
	}
	if err := tx.Commit(); err == nil {
		t.Error("it is committed")
	}
	if _, err := exec(t.Context(), db, insertThing, uuid.New(), "b"); err != nil {
		t.Error(err)
	}
	if all := names(t, db); !slices.Equal(all, []string{"b"}) {
		t.Errorf("there is %v", all)
	}
}

package database_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
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

func TestSQLitePaths(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{
		"plain.db", "with space.db", "what?.db", "50%.db", "%41.db", "a#b.db", "a&b=c+d.db", "ü.db", "file:x.db", "../" + filepath.Base(dir) + "/up.db",
	} {
		for _, path := range []string{name, filepath.Join(dir, "absolute "+filepath.Base(name))} {
			db := dbtest.OpenURL(t, "sqlite:"+path)
			run(t, db, things)
			want, err := filepath.Abs(path)
			if err != nil || db.Path() != want {
				t.Errorf("%q: path %q, %v", path, db.Path(), err)
			}
			info, err := os.Stat(path)
			if err != nil || info.Size() == 0 && !exists(path+"-wal") {
				t.Errorf("%q: %v", path, err)
			}
		}
	}
}

func TestSQLiteFilesAreTheOwnersAlone(t *testing.T) {
	t.Parallel()
	db := dbtest.OpenURL(t, "sqlite:"+filepath.Join(t.TempDir(), "new.db"))
	run(t, db, things)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(db.Path() + suffix)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%q: %v, %v", suffix, info, err)
		}
	}
}

func TestSQLiteFaultyFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := filepath.Join(dir, "letter.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("Dear database, ", 99)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "absent", "records.db"): "no folder",
		dir:                               "is a directory",
		text:                              "not a SQLite database",
		filepath.Join(text, "records.db"): "not a directory",
	} {
		db, err := database.Open("sqlite:"+path, database.Options{})
		if err == nil {
			_ = db.Close()
			t.Errorf("%s: opened", path)
			continue
		}
		if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestSQLiteSettings(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	for pragma, want := range map[string]string{"foreign_keys": "1", "journal_mode": "wal", "synchronous": "2"} {
		var got string
		if err := db.SQL().QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, %v", pragma, got, err)
		}
		// A reader has the same settings. A SELECT is what goes to it.
		texts, err := query(t.Context(), db.Driver(), "SELECT * FROM pragma_"+pragma)
		if err != nil || texts[0] != want {
			t.Errorf("reader: %s is %v, %v", pragma, texts, err)
		}
	}
	texts, err := query(t.Context(), db.Driver(), "SELECT * FROM pragma_query_only")
	if err != nil || texts[0] != "1" {
		t.Errorf("readers may write: %v, %v", texts, err)
	}
}

func TestSQLiteTimesAreUTC(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, `CREATE TABLE times (at datetime, day date)`)
	at := time.Date(2026, 1, 1, 0, 30, 0, 123e6, time.FixedZone("", 3600))
	run(t, db, `INSERT INTO times VALUES ($1, $2)`, at, at)
	var text string
	var got, day time.Time
	if err := db.SQL().QueryRow(`SELECT at, day, at || '' FROM times`).Scan(&got, &day, &text); err != nil {
		t.Fatal(err)
	}
	if !got.Equal(at) || got.Location() != time.UTC || text != "2025-12-31 23:30:00.123+00:00" {
		t.Error(got, text)
	}
}

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

// A writing query holds the writer's place until its rows are read, closed or not.
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
	names, err := query(ctx, db.Driver(), `DELETE FROM "things" RETURNING "name"`)
	if err != nil || len(names) != 3 {
		t.Error(names, err)
	}
}

// Writers are served in the order in which they came.
func TestSQLiteWritersTakeTurns(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, `CREATE TABLE turns (position INTEGER PRIMARY KEY, writer INTEGER)`)
	tx, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var writers sync.WaitGroup
	for i := range 20 {
		writers.Go(func() {
			if _, err := exec(t.Context(), db, `INSERT INTO turns (writer) VALUES ($1)`, i); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(5 * time.Millisecond) // the next one comes after it
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	writers.Wait()
	disorder, err := query(t.Context(), db.Driver(), `SELECT count(*) FROM turns WHERE writer <> position - 1`)
	if err != nil || disorder[0] != "0" {
		t.Error(disorder, err)
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

// If it should have returned rows, they may be lost with the context: then the
// write may have taken effect.
func TestSQLiteLostRowsAreUnknown(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	rows := &entsql.Rows{}
	if err := db.Driver().Query(ctx, `INSERT INTO notes VALUES (pause()) RETURNING text`, []any{}, rows); err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	time.Sleep(10 * time.Millisecond) // until database/sql has closed them
	if rows.Next() || !errors.Is(rows.Err(), database.ErrOutcomeUnknown) {
		t.Error(rows.Err())
	}
	texts, err := query(t.Context(), db.Driver(), `SELECT text FROM notes`)
	if err != nil || len(texts) != 1 {
		t.Error(texts, err)
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

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

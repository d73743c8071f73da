package database_test

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

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

// A file that is gone is not made anew beside its log, and both together have all that
// was written.
func TestSQLiteLogWithoutItsFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "records.db")
	db := dbtest.OpenURL(t, "sqlite:"+filepath.Join(dir, "there.db"))
	run(t, db, things)
	run(t, db, `INSERT INTO things (name) VALUES ('acknowledged')`)
	for _, suffix := range []string{"", "-wal"} { // as after a kill
		content, err := os.ReadFile(db.Path() + suffix)
		if err != nil || os.WriteFile(path+suffix, content, 0o600) != nil {
			t.Fatal(err)
		}
	}
	if err := os.Rename(path, path+".away"); err != nil {
		t.Fatal(err)
	}
	for _, opts := range []database.Options{{}, {MustExist: true}} {
		gone, err := database.Open("sqlite:"+path, opts)
		if err == nil {
			_ = gone.Close()
		}
		if err == nil || !strings.Contains(err.Error(), "there is no file "+path+", but its log "+path+"-wal is there") || exists(path) {
			t.Fatalf("%+v: %v", opts, err)
		}
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	var n int
	err := dbtest.OpenURL(t, "sqlite:"+path).SQL().QueryRow(`SELECT count(*) FROM things WHERE name = 'acknowledged'`).Scan(&n)
	if err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "new.db-wal"), nil, 0o600); err != nil { // which holds nothing
		t.Fatal(err)
	}
	run(t, dbtest.OpenURL(t, "sqlite:"+filepath.Join(dir, "new.db")), things)
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
	texts, err = query(t.Context(), db.Driver(), "SELECT * FROM pragma_cache_size")
	if err != nil || texts[0] != "-768" {
		t.Errorf("each reader keeps %v, %v", texts, err)
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

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// A file that is no longer at its path takes no writes, and serves no more: what is
// written would be lost with it, or come into the file that stands there now, and what
// is read may not be true any more.
func TestFileThatIsGone(t *testing.T) {
	t.Parallel()
	for name, put := range map[string]func(path string) error{
		"moved":    func(string) error { return nil },
		"replaced": func(path string) error { return os.WriteFile(path, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := dbtest.Open(t, dialect.SQLite)
			run(t, db, things)
			if err := errors.Join(os.Rename(db.Path(), db.Path()+".old"), put(db.Path())); err != nil {
				t.Fatal(err)
			}
			time.Sleep(300 * time.Millisecond) // for so long readers may not see it
			reading := db.Driver().Query(t.Context(), "SELECT name FROM things", []any{}, &entsql.Rows{})
			_, snapshot := db.Driver().(interface {
				BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
			}).BeginTx(t.Context(), &sql.TxOptions{ReadOnly: true})
			_, writing := exec(t.Context(), db, insertThing, uuid.New(), "lost")
			_, beginning := db.Driver().Tx(t.Context())
			for what, err := range map[string]error{"a write": writing, "a transaction": beginning, "a read": reading, "a snapshot": snapshot, "readiness": db.Ping(t.Context())} {
				if !database.IsUnavailable(err) || !strings.Contains(err.Error(), "was moved, removed or replaced") {
					t.Errorf("%s: %v", what, err)
				}
			}
			if err := os.Rename(db.Path()+".old", db.Path()); err != nil {
				t.Fatal(err)
			}
			if _, err := exec(t.Context(), db, insertThing, uuid.New(), "kept"); err != nil {
				t.Error(err)
			}
			if all := names(t, db); !slices.Equal(all, []string{"kept"}) || db.Ping(t.Context()) != nil {
				t.Errorf("there is %v", all)
			}
		})
	}
}

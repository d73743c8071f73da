package rehearse_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate"
	"records/migrate/rehearse"
)

// original is a database with rows, and what is pending on it.
type original struct {
	url   string
	state func() string // all that is in it
}

// each runs f on both databases, to which nobody is connected.
func each(t *testing.T, f func(t *testing.T, d string, o original)) {
	t.Helper()
	t.Parallel()
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(d, func(t *testing.T) {
			t.Parallel()
			f(t, d, prepare(t, d))
		})
	}
}

func prepare(t *testing.T, d string) original {
	t.Helper()
	o := original{url: dbtest.URL(t, d)}
	db, err := database.Open(o.url, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	execute(t, db, "INSERT INTO workspaces (id, name, created_at) VALUES ('0190163d-8694-739b-aea5-966c26f8ad90', 'Acme', '2026-11-20 10:00:00+00:00'), ('0190163d-8694-739b-aea5-966c26f8ad91', 'Other', '2026-11-20 10:00:00+00:00')")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	o.state = func() string { return dumped(t, o.url) }
	if d == dialect.SQLite {
		o.state = func() string { return summed(t, strings.TrimPrefix(o.url, "sqlite:")) }
	}
	return o
}

func execute(t *testing.T, db *database.DB, query string) {
	t.Helper()
	if _, err := db.SQL().ExecContext(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

// dumped is what pg_dump writes, without the key that is another one each time.
func dumped(t *testing.T, url string) string {
	t.Helper()
	out, err := exec.Command("pg_dump", "--no-password", "--dbname="+url).Output()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, `\restrict`) && !strings.HasPrefix(line, `\unrestrict`) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "")
}

func summed(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(b))
}

var pending = map[string]string{
	"postgres/20270101000000_change.sql": `ALTER TABLE workspaces ADD COLUMN extra uuid NOT NULL DEFAULT gen_random_uuid();
UPDATE workspaces SET name = name || '!' WHERE name <> 'Other';
CREATE TABLE fresh (id integer);`,
	"postgres/20270102000000_index.sql": "-- +goose Up\n-- +goose NO TRANSACTION\nCREATE INDEX CONCURRENTLY workspaces_extra ON workspaces (extra);",
	"sqlite/20270101000000_change.sql": "ALTER TABLE workspaces ADD COLUMN extra text;\nUPDATE workspaces SET name = name || '!' WHERE name <> 'Other';\n" +
		"CREATE TABLE new_workspaces (id uuid NOT NULL, name text NOT NULL, created_at datetime NOT NULL, PRIMARY KEY (id));\nINSERT INTO new_workspaces (id, name, created_at) SELECT id, name, created_at FROM workspaces;\nDROP TABLE workspaces;\nALTER TABLE new_workspaces RENAME TO workspaces;",
	"sqlite/20270102000000_index.sql": "CREATE UNIQUE INDEX workspaces_name_key ON workspaces (name);",
}

func run(t *testing.T, url string, o rehearse.Options) (rehearse.Report, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return rehearse.Run(ctx, dbtest.Migrations(t, pending), url, o)
}

// leftovers are the copies that are there.
func leftovers(t *testing.T, d string) (names []string) {
	t.Helper()
	if d == dialect.SQLite {
		names, err := filepath.Glob(filepath.Join(os.TempDir(), "records-rehearsal-*"))
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	rows, err := dbtest.OpenURL(t, os.Getenv("TEST_POSTGRES_URL")).SQL().Query("SELECT datname FROM pg_database WHERE starts_with(datname, '" + rehearse.Prefix + "')")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	return names
}

// nothingLeft checks that every copy is gone but those that were there. Others may
// rehearse on the same server, so that one which goes away was not left.
func nothingLeft(t *testing.T, d string, there []string) {
	t.Helper()
	for until := time.Now().Add(20 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		left := slices.DeleteFunc(leftovers(t, d), func(name string) bool { return slices.Contains(there, name) })
		if len(left) == 0 {
			return
		}
		if time.Now().After(until) {
			t.Errorf("left %v", left)
			return
		}
	}
}

// step finds the step of a statement.
func step(t *testing.T, r rehearse.Report, begins string) rehearse.Step {
	t.Helper()
	for _, s := range r.Statements {
		if strings.HasPrefix(s.Statement, begins) {
			return s
		}
	}
	t.Fatalf("no %s in %+v", begins, r.Statements)
	return rehearse.Step{}
}

// Not parallel: it has a temporary folder of its own.
func TestRehearsal(t *testing.T) {
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(d, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			o, there := prepare(t, d), leftovers(t, d)
			before := o.state()
			report, err := run(t, o.url, rehearse.Options{})
			if err != nil || report.Failed != "" || len(report.Pending) != 2 || len(report.Findings) == 0 {
				t.Fatalf("%+v, %v", report, err)
			}
			if o.state() != before {
				t.Error("the original has changed")
			}
			nothingLeft(t, d, there)
			if s := step(t, report, "UPDATE workspaces"); s.Rows != 1 || s.Line != 3 || s.Milliseconds <= 0 || len(s.Rewritten) != 0 {
				t.Errorf("%+v", s)
			}
			if d == dialect.SQLite {
				checkSQLite(t, report)
			} else {
				checkPostgres(t, report)
			}
		})
	}
}

func checkSQLite(t *testing.T, report rehearse.Report) {
	t.Helper()
	if s := step(t, report, "INSERT INTO new_workspaces"); s.Rows != 2 {
		t.Errorf("%+v", s)
	}
	if s := step(t, report, "ALTER TABLE new_workspaces RENAME"); len(s.Rewritten) != 1 || s.Rewritten[0] != "workspaces" || s.Locks[0].Mode != "write lock" {
		t.Errorf("%+v", s)
	}
	if len(report.Statements) != 7 {
		t.Errorf("%d statements", len(report.Statements))
	}
}

func checkPostgres(t *testing.T, report rehearse.Report) {
	t.Helper()
	if report.Copy != "a copy made from the database as a template" {
		t.Errorf("it was %s", report.Copy)
	}
	s := step(t, report, "ALTER TABLE workspaces")
	if s.Rows != 2 || len(s.Rewritten) != 1 || s.Rewritten[0] != "workspaces" ||
		len(s.Locks) == 0 || s.Locks[0] != (rehearse.Lock{Relation: "workspaces", Mode: "AccessExclusiveLock", Blocks: "readers and writers wait"}) {
		t.Errorf("%+v", s)
	}
	if s := step(t, report, "CREATE TABLE fresh"); len(s.Locks) != 0 {
		t.Errorf("%+v", s)
	}
	if lock, ok := rehearse.Strongest(report); !ok || lock.Mode != "AccessExclusiveLock" {
		t.Errorf("the strongest is %v", lock)
	}
	step(t, report, "CREATE INDEX CONCURRENTLY")
}

// The locks of a statement outside of a transaction are gone at its end.
func TestLocksOfAConcurrentBuild(t *testing.T) {
	t.Parallel()
	o := prepare(t, dialect.Postgres)
	execute(t, dbtest.OpenURL(t, o.url), "CREATE TABLE many AS SELECT generate_series(1, 500000) AS n")
	source := dbtest.Migrations(t, map[string]string{
		"postgres/20270101000000_index.sql": "-- +goose Up\n-- +goose NO TRANSACTION\nCREATE INDEX CONCURRENTLY many_n ON many (n);",
		"sqlite/20270101000000_index.sql":   "",
	})
	report, err := rehearse.Run(t.Context(), source, o.url, rehearse.Options{})
	if err != nil || report.Failed != "" {
		t.Fatalf("%+v, %v", report, err)
	}
	s := step(t, report, "CREATE INDEX CONCURRENTLY")
	if len(s.Locks) == 0 || s.Locks[0].Relation != "many" || s.Locks[0].Mode != "ShareUpdateExclusiveLock" {
		t.Errorf("%+v", s)
	}
}

// With others connected, and writing, the copy is made with pg_dump.
func TestRehearsalWhileConnected(t *testing.T) {
	each(t, func(t *testing.T, d string, o original) {
		db := dbtest.OpenURL(t, o.url)
		execute(t, db, "UPDATE workspaces SET name = 'Third' WHERE name = 'Other'")
		before := o.state()
		report, err := run(t, o.url, rehearse.Options{})
		if err != nil || report.Failed != "" || len(report.Statements) < 4 {
			t.Fatalf("%+v, %v", report, err)
		}
		if d == dialect.Postgres && report.Copy != "a copy made with pg_dump" {
			t.Errorf("it was %s", report.Copy)
		}
		if s := step(t, report, "UPDATE workspaces"); s.Rows != 2 { // both, seen in the log beside a SQLite file too
			t.Errorf("%+v", s)
		}
		if o.state() != before {
			t.Error("the original has changed")
		}
	})
}

// Who is just leaving keeps the database from being a template for a moment only.
func TestRehearsalWaitsForThoseWhoLeave(t *testing.T) {
	t.Parallel()
	o := prepare(t, dialect.Postgres)
	db, err := database.Open(o.url, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	execute(t, db, "SELECT 1")
	time.AfterFunc(300*time.Millisecond, func() { _ = db.Close() })
	if report, err := run(t, o.url, rehearse.Options{}); err != nil || report.Copy != "a copy made from the database as a template" {
		t.Errorf("it was %s, %v", report.Copy, err)
	}
}

// A copy that cannot be removed is named.
func TestCopyThatIsLeft(t *testing.T) {
	t.Parallel()
	o := prepare(t, dialect.Postgres)
	source := dbtest.Migrations(t, map[string]string{
		"postgres/20270101000000_keep.sql": "-- +goose StatementBegin\nDO $$ BEGIN EXECUTE format('ALTER DATABASE %I IS_TEMPLATE true', current_database()); END $$;\n-- +goose StatementEnd\n",
		"sqlite/20270101000000_keep.sql":   "",
	})
	_, err := rehearse.Run(t.Context(), source, o.url, rehearse.Options{})
	left, ok := errors.AsType[*rehearse.LeftError](err)
	if !ok || !strings.HasPrefix(left.Copy, rehearse.Prefix) || !strings.HasPrefix(left.Error(), "the copy "+left.Copy+" could not be removed: ") {
		t.Fatalf("%v", err)
	}
	admin := dbtest.OpenURL(t, os.Getenv("TEST_POSTGRES_URL"))
	execute(t, admin, "ALTER DATABASE "+left.Copy+" IS_TEMPLATE false")
	execute(t, admin, "DROP DATABASE "+left.Copy)
}

// A copy that is there is left as it was; the original is not taken for one.
func TestNamedCopy(t *testing.T) {
	t.Parallel()
	o, copied := prepare(t, dialect.Postgres), prepare(t, dialect.Postgres)
	before := copied.state()
	report, err := run(t, o.url, rehearse.Options{Copy: copied.url})
	if err != nil || report.Failed != "" || len(report.Statements) != 4 {
		t.Fatalf("%+v, %v", report, err)
	}
	step(t, report, "CREATE INDEX workspaces_extra") // without CONCURRENTLY
	if copied.state() != before {
		t.Error("the copy has changed")
	}
	for url, want := range map[string]string{o.url: "copy: this is the database itself, not a copy of it", "sqlite:x.db": "copy: it must begin with postgres://"} {
		if _, err := run(t, o.url, rehearse.Options{Copy: url}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
	if _, err := os.Stat("x.db"); err == nil {
		t.Error("it made the file")
	}
	if _, err := run(t, "sqlite:"+filepath.Join(t.TempDir(), "a.db"), rehearse.Options{Copy: o.url}); err == nil {
		t.Error("a copy of a SQLite file is used")
	}
}

// Who may not make a copy reads why, and nothing of one that was never made.
func TestCopyThatCannotBeMade(t *testing.T) {
	t.Parallel()
	o := prepare(t, dialect.Postgres)
	_, err := run(t, o.url+"&default_transaction_read_only=on", rehearse.Options{})
	if err == nil || !strings.Contains(err.Error(), "make a database for the copy (or name a copy with --copy): ") || strings.Contains(err.Error(), "could not be removed") {
		t.Errorf("%v", err)
	}
}

// A migration that fails is told, and one that is stopped leaves nothing either.
func TestFailedRehearsal(t *testing.T) {
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(d, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			o, there := prepare(t, d), leftovers(t, d)
			before := o.state()
			source := dbtest.Migrations(t, map[string]string{"20270101000000_bad.sql": "CREATE TABLE a (id integer);\nINSERT INTO nowhere VALUES (1);"})
			report, err := rehearse.Run(t.Context(), source, o.url, rehearse.Options{})
			if err != nil || len(report.Statements) != 1 || !strings.Contains(report.Failed, "20270101000000_bad.sql: statement 2 (line 3: INSERT INTO nowhere VALUES (1)): ") {
				t.Errorf("%+v, %v", report, err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			options := rehearse.Options{Migrate: migrate.Options{Say: func(string) {}}}
			time.AfterFunc(300*time.Millisecond, cancel)
			wait := map[string]string{dialect.Postgres: "SELECT pg_sleep(30);", dialect.SQLite: "SELECT 1;"}[d]
			if _, err := rehearse.Run(ctx, dbtest.Migrations(t, map[string]string{"20270101000000_long.sql": wait}), o.url, options); d == dialect.Postgres && err == nil {
				t.Error("no error")
			}
			nothingLeft(t, d, there)
			if o.state() != before {
				t.Error("the original has changed")
			}
		})
	}
}

package migrate_test

import (
	"context"
	"fmt"
	"io/fs"
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
)

// A test starts this test program again as a process that migrates, to kill it.
const childURL, childFiles = "MIGRATE_TEST_URL", "MIGRATE_TEST_FILES"

func TestMain(m *testing.M) {
	if url := os.Getenv(childURL); url != "" {
		os.Exit(child(url, os.DirFS(os.Getenv(childFiles))))
	}
	os.Exit(m.Run())
}

func child(url string, files fs.FS) int {
	db, err := database.Open(url, database.Options{})
	if err == nil {
		_, err = migrate.From(files).Up(context.Background(), db, migrate.Options{})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// start runs the migrations in a process of their own.
func start(t *testing.T, url string, added map[string]string) *exec.Cmd {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "migrations")
	if err := os.CopyFS(folder, dbtest.MigrationFiles(t, added)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childURL+"="+url, childFiles+"="+folder)
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return cmd
}

// eventually waits until a query counts something.
func eventually(t *testing.T, db *database.DB, query string) {
	t.Helper()
	for until := time.Now().Add(20 * time.Second); number(t, db, query) == 0; time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("nothing in %s", query)
		}
	}
}

// slowly are two migrations, the second of which takes long after it has changed
// something.
func slowly(d string) map[string]string {
	wait := "SELECT pg_sleep(30);"
	if d == dialect.SQLite {
		wait = "INSERT INTO b WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 1000000000) SELECT count(*) FROM n;"
	}
	return map[string]string{"20270101000000_a.sql": "CREATE TABLE a (id integer);", "20270102000000_b.sql": "CREATE TABLE b (id bigint);\n" + wait}
}

// The first migration stays, the second one was never there, and the next run
// applies it. On SQLite it is killed after a moment, since nobody can see how far
// it has come.
func TestKilledInATransaction(t *testing.T) {
	eachEmpty(t, func(t *testing.T, d, url string) {
		db := dbtest.OpenURL(t, url)
		mustUp(t, db, nil)
		process := start(t, url, slowly(d))
		if d == dialect.Postgres {
			eventually(t, db, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(30)%' AND state = 'active'")
		} else {
			eventually(t, db, "SELECT count(*) FROM schema_migrations WHERE version_id = 20270101000000")
			time.Sleep(300 * time.Millisecond)
		}
		if err := process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = process.Wait()
		if d == dialect.Postgres { // it would go on to sleep
			execute(t, db, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'SELECT pg_sleep(30)%'")
		}
		if _, err := db.SQL().Exec("SELECT * FROM b"); err == nil {
			t.Error("there is a table b")
		}
		if n := number(t, db, "SELECT count(*) FROM a"); n != 0 {
			t.Error("table a is not empty")
		}
		shorter := slowly(d)
		shorter["20270102000000_b.sql"] = "CREATE TABLE b (id bigint);"
		applied, err := up(t, db, shorter)
		if err != nil || !slices.Equal(applied, []string{"20270102000000_b.sql"}) {
			t.Errorf("then applied %v, %v", applied, err)
		}
	})
}

// A process that was killed while it built an index leaves a session that goes on:
// the next run waits for it and finds the work done.
func TestKilledWhileBuildingAnIndex(t *testing.T) {
	db, url := postgres(t)
	execute(t, db, "CREATE FUNCTION slow(integer) RETURNS integer LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM pg_sleep(0.01); RETURN $1; END $$")
	execute(t, db, "CREATE TABLE numbers AS SELECT generate_series(1, 200) AS n")
	build := alone(`CREATE INDEX CONCURRENTLY numbers_n ON numbers (slow(n))`)
	process := start(t, url, build)
	eventually(t, db, "SELECT count(*) FROM pg_stat_progress_create_index WHERE index_relid <> 0 AND datname = current_database()")
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = process.Wait()
	var said []string
	_, err := dbtest.Migrations(t, build).Up(t.Context(), db, migrate.Options{Say: func(s string) { said = append(said, s) }})
	if err != nil {
		t.Fatal(err)
	}
	if n := number(t, db, validIndexes); n != 1 {
		t.Error("there is no valid index")
	}
	if len(said) != 1 || !strings.Contains(said[0], "still builds the index numbers_n: waiting for it") {
		t.Errorf("said %q", said)
	}
}

// The connection is lost while a statement runs, and while the commit is under way.
func TestCutConnection(t *testing.T) {
	for match, c := range map[string]struct {
		cut  dbtest.Cut
		left string
		rest int
	}{
		"a statement":     {dbtest.Cut{Match: "CREATE TABLE cut"}, "Nothing of this migration was kept", 1},
		"a lost COMMIT":   {dbtest.Cut{Match: "COMMIT", Undelivered: true}, "Whether this migration was kept is not known", 1},
		"a COMMIT's end":  {dbtest.Cut{Match: "COMMIT"}, "Whether this migration was kept is not known", 0},
		"a crashed build": {dbtest.Cut{Match: "CREATE INDEX CONCURRENTLY", Reset: true}, "the next `records migrate up` looks and repairs it", 1},
	} {
		t.Run(match, func(t *testing.T) {
			db, url := postgres(t)
			execute(t, db, "CREATE TABLE numbers (n integer)")
			added := map[string]string{"20270101000000_cut.sql": "CREATE TABLE cut (id integer);"}
			if match == "a crashed build" {
				added = alone("CREATE INDEX CONCURRENTLY numbers_n ON numbers (n)")
			}
			proxy := dbtest.NewProxy(t, url)
			cutOff := dbtest.OpenURL(t, proxy.URL())
			if _, err := migrate.Embedded.Compare(t.Context(), cutOff); err != nil {
				t.Fatal(err)
			}
			proxy.Cut(c.cut)
			_, err := up(t, cutOff, added)
			fails(t, err, "20270101000000_", c.left)
			applied, err := up(t, db, added)
			if err != nil || len(applied) != c.rest {
				t.Errorf("then applied %v, %v", applied, err)
			}
			if match != "a crashed build" {
				number(t, db, "SELECT count(*) FROM cut")
			} else if n := number(t, db, validIndexes); n != 1 {
				t.Error("there is no valid index")
			}
		})
	}
}

package migrate_test

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate"
)

func TestPendingChangesNothing(t *testing.T) {
	eachEmpty(t, func(t *testing.T, d, url string) {
		db := dbtest.OpenURL(t, url)
		standing, err := migrate.Embedded.Compare(t.Context(), db)
		if err != nil || !slices.Equal(standing.Pending, names(t, d)) {
			t.Errorf("pending %v, %v; want %v", standing.Pending, err, names(t, d))
		}
		if n := tables(t, db); n != 0 {
			t.Errorf("%d tables afterwards", n)
		}
	})
}

// names are the migrations in the folder of a dialect, oldest first.
func names(t *testing.T, d string) []string {
	t.Helper()
	folder := map[string]string{"sqlite3": "sqlite", "postgres": "postgres"}[d]
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".sql") {
			all = append(all, e.Name())
		}
	}
	return all
}

func TestUp(t *testing.T) {
	eachEmpty(t, func(t *testing.T, d, url string) {
		db := dbtest.OpenURL(t, url)
		applied, err := migrate.Up(t.Context(), db)
		if err != nil || !slices.Equal(applied, names(t, d)) {
			t.Fatalf("applied %v, %v; want %v", applied, err, names(t, d))
		}
		if again, err := migrate.Up(t.Context(), db); err != nil || len(again) != 0 {
			t.Errorf("a second time %v, %v", again, err)
		}
		if standing, err := migrate.Embedded.Compare(t.Context(), db); err != nil || len(standing.Pending) != 0 {
			t.Errorf("pending %v, %v", standing.Pending, err)
		}
	})
}

func TestStatus(t *testing.T) {
	eachEmpty(t, func(t *testing.T, d, url string) {
		db := dbtest.OpenURL(t, url)
		for _, applied := range []bool{false, true} {
			states, err := migrate.Embedded.Status(t.Context(), db)
			if err != nil || len(states) != len(names(t, d)) {
				t.Fatalf("%v, %v", states, err)
			}
			for i, s := range states {
				if s.Name != names(t, d)[i] || s.Applied != applied {
					t.Errorf("%v; want %s applied: %t", s, names(t, d)[i], applied)
				}
			}
			if _, err := migrate.Up(t.Context(), db); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestScript(t *testing.T) {
	eachEmpty(t, func(t *testing.T, d, url string) {
		db := dbtest.OpenURL(t, url)
		script, err := migrate.Embedded.Script(db, names(t, d)[0])
		if err != nil || !strings.HasPrefix(script, "-- +goose Up\n") {
			t.Errorf("%.40q, %v", script, err)
		}
		if _, err := migrate.Embedded.Script(db, "no.sql"); err == nil {
			t.Error("a migration that is not there has a script")
		}
	})
}

// Several processes may start at once: each of them succeeds, and each
// migration runs once.
func TestConcurrentUp(t *testing.T) {
	eachEmpty(t, func(t *testing.T, d, url string) {
		const processes = 3
		var dbs [processes]*database.DB
		for i := range dbs {
			dbs[i] = dbtest.OpenURL(t, url)
		}
		var (
			all  sync.WaitGroup
			mu   sync.Mutex
			done []string
		)
		for _, db := range dbs {
			all.Go(func() {
				applied, err := migrate.Up(t.Context(), db)
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				done = append(done, applied...)
			})
		}
		all.Wait()
		slices.Sort(done)
		if !slices.Equal(done, names(t, d)) {
			t.Errorf("applied %v; want each of %v once", done, names(t, d))
		}
		if n := number(t, dbs[0], "SELECT count(*) FROM "+migrate.Table+" WHERE version_id > 0"); n != len(names(t, d)) {
			t.Errorf("%d migrations are kept", n)
		}
	})
}

func TestBothDialectsHaveTheSameVersions(t *testing.T) {
	t.Parallel()
	if a, b := names(t, "sqlite3"), names(t, "postgres"); len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("SQLite has %v, PostgreSQL %v", a, b)
	}
}

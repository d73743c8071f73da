package backup_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/gofrs/flock"

	"records/internal/backup"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/doctor"
	"records/internal/servertest"
	"records/migrate"
)

// serve starts a server on a file of its own.
func serve(t *testing.T) (path string, db *database.DB, s *servertest.Server) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "records.db")
	db = open(t, path)
	if _, err := migrate.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	return path, db, servertest.Start(t, db)
}

func open(t *testing.T, path string) *database.DB {
	t.Helper()
	db, err := database.Open("sqlite:"+path, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() }) // twice, where the test has closed it
	return db
}

// A backup that is made under writes has every record that was acknowledged before
// it began, and a count that is right. The server goes on.
func TestWriteWhileServing(t *testing.T) {
	t.Parallel()
	_, db, s := serve(t)
	client := s.NewClient(t)
	var acknowledged atomic.Int64
	var writers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 {
		writers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if r := client.Do(http.MethodPost, "/tasks", map[string]any{"name": strings.Repeat("long ", 50)}); r.Status != http.StatusCreated {
					t.Errorf("a write: %d", r.Status)
					return
				}
				acknowledged.Add(1)
			}
		})
	}
	for acknowledged.Load() < 200 {
		time.Sleep(time.Millisecond)
	}
	to := filepath.Join(t.TempDir(), "backup.db")
	before := acknowledged.Load()
	err := backup.Write(t.Context(), db, to)
	after := acknowledged.Load()
	close(stop)
	writers.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(to); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	copied := open(t, to)
	var n, counted int64
	if err := copied.SQL().QueryRowContext(t.Context(), "SELECT count(*), (SELECT sum(n) FROM record_counts) FROM tasks").Scan(&n, &counted); err != nil {
		t.Fatal(err)
	}
	if n < before || n > after+4 || counted != n {
		t.Errorf("%d records, counted %d, want %d to %d", n, counted, before, after+4)
	}
	if faults, err := doctor.Examine(t.Context(), copied, false); err != nil || len(faults) > 0 {
		t.Errorf("%v, %v", faults, err)
	}
}

// A name that looks like a URI is a name.
func TestWriteToAnOddName(t *testing.T) {
	_, db, _ := serve(t)
	t.Chdir(t.TempDir())
	must(t, backup.Write(t.Context(), db, "file:odd?name=#1.db"))
	if names := list(t, "."); names != "[file:odd?name=#1.db]" {
		t.Error(names)
	}
}

// What is there already is left alone, and nothing half done stays behind.
func TestWriteReplacesNothing(t *testing.T) {
	t.Parallel()
	_, db, _ := serve(t)
	folder := t.TempDir()
	there := filepath.Join(folder, "there")
	if err := os.WriteFile(there, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	for to, want := range map[string]string{
		there:                                  "is there already",
		filepath.Join(folder, "none", "b.db"):  "no such file",
		filepath.Join(folder, "there", "b.db"): "not a directory",
	} {
		if err := backup.Write(t.Context(), db, to); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", to, err)
		}
	}
	if text, err := os.ReadFile(there); string(text) != "precious" {
		t.Error(string(text), err)
	}
	if entries, err := os.ReadDir(folder); len(entries) != 1 {
		t.Error(entries, err)
	}
}

// What a backup that was killed has left is replaced. What one that is at work writes is
// not, nor what no backup has made.
func TestWriteOverRemains(t *testing.T) {
	t.Parallel()
	_, db, _ := serve(t)
	folder := t.TempDir()
	to := filepath.Join(folder, "b.db")
	remain := func(suffixes ...string) {
		for _, suffix := range suffixes {
			must(t, os.WriteFile(to+suffix, []byte("cut off"), 0o600))
		}
	}
	remain(".part")
	if err := backup.Write(t.Context(), db, to); err == nil || !strings.Contains(err.Error(), ".part is there already") {
		t.Error(err)
	}
	if names := list(t, folder); names != "[b.db.part]" {
		t.Error(names)
	}
	remain(".part.lock", ".part-journal")
	other := flock.New(to + ".part.lock")
	if held, err := other.TryLock(); err != nil || !held {
		t.Fatal(held, err)
	}
	if err := backup.Write(t.Context(), db, to); err == nil || !strings.Contains(err.Error(), "another backup is at work on "+to+".part") {
		t.Error(err)
	}
	if names := list(t, folder); names != "[b.db.part b.db.part-journal b.db.part.lock]" {
		t.Error(names)
	}
	must(t, other.Unlock())
	must(t, backup.Write(t.Context(), db, to))
	if names := list(t, folder); names != "[b.db]" {
		t.Error(names)
	}
}

func TestWriteIsForFiles(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.Postgres)
	if err := backup.Write(t.Context(), db, filepath.Join(t.TempDir(), "b.db")); !errors.Is(err, backup.ErrPostgres) {
		t.Error(err)
	}
}

// restore makes a backup of a file that nobody has open, and puts it back.
func restore(t *testing.T, from, path string) (backup.Restored, error) {
	t.Helper()
	return backup.Restore(t.Context(), from, path, backup.Options{Now: time.Now()})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// list is what stands in a folder.
func list(t *testing.T, folder string) string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return fmt.Sprint(names)
}

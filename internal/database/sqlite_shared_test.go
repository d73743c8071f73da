package database_test

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

// Another process is another DB on the same file: SQLite's locks do not tell them
// apart.

func TestSQLiteTwoProcessesWrite(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	server, command := dbtest.OpenURL(t, url), dbtest.OpenURL(t, url)
	run(t, server, things)
	var writers sync.WaitGroup
	for _, db := range []*database.DB{server, command, server, command} {
		writers.Go(func() {
			for range 25 {
				if _, err := exec(t.Context(), db, insertThing, uuid.New(), uuid.NewString()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	counts, err := query(t.Context(), server.Driver(), `SELECT count(*) FROM "things"`)
	if err != nil || counts[0] != "100" {
		t.Error(counts, err)
	}
}

// A file that several processes open for the first time at once opens for all.
func TestSQLiteFirstOpenedTogether(t *testing.T) {
	t.Parallel()
	for range 5 {
		url := "sqlite:" + filepath.Join(t.TempDir(), "new.db")
		var processes sync.WaitGroup
		for range 6 {
			processes.Go(func() {
				db, err := database.Open(url, database.Options{})
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		processes.Wait()
	}
}

// While another process holds the file, a writer waits, and gives up with its
// context. That nothing was written is certain.
func TestSQLiteBusyWriterGivesUp(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	server, command := dbtest.OpenURL(t, url), dbtest.OpenURL(t, url)
	run(t, server, things)
	tx, err := command.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(context.Context) error{
		"statement": func(ctx context.Context) error {
			_, err := exec(ctx, server, insertThing, uuid.New(), "never")
			return err
		},
		"returning": func(ctx context.Context) error {
			_, err := query(ctx, server.Driver(), insertThing+` RETURNING "id"`, uuid.New(), "never")
			return err
		},
		"transaction": func(ctx context.Context) error {
			_, err := server.Driver().Tx(ctx)
			return err
		},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		within(t, limit, func() {
			err := write(ctx)
			if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, database.ErrOutcomeUnknown) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	time.AfterFunc(patience, func() { _ = tx.Commit() })
	if _, err := exec(t.Context(), server, insertThing, uuid.New(), "new"); err != nil {
		t.Error(err)
	}
	names, err := query(t.Context(), server.Driver(), `SELECT "name" FROM "things"`)
	if err != nil || len(names) != 1 {
		t.Error(names, err)
	}
}

package migrate_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/migrate"
)

// Of several at once one tries, for all of patience; the others wait for it, so
// that each pause is one for the traffic too.
func TestPausesAreKept(t *testing.T) {
	eachEmpty(t, func(t *testing.T, d, url string) {
		db := dbtest.OpenURL(t, url)
		mustUp(t, db, nil)
		release := occupy(t, d, url)
		tries := make(chan try, 100)
		done := make(chan error)
		const processes = 3
		for range processes {
			o := migrate.Options{LockTimeout: 100 * time.Millisecond, Patience: 30 * time.Second, Say: func(s string) { tries <- try{time.Now(), s} }}
			db, source := dbtest.OpenURL(t, url), dbtest.Migrations(t, addColumn)
			go func() {
				_, err := source.Up(context.Background(), db, o)
				done <- err
			}()
		}
		time.Sleep(4 * time.Second)
		release()
		for range processes {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		close(tries)
		last := <-tries
		count := 1
		for next := range tries {
			_, text, _ := strings.Cut(last.said, "trying again in ")
			pause, err := time.ParseDuration(text)
			if gap := next.at.Sub(last.at); err != nil || gap < pause {
				t.Errorf("%s after %q another one tried, %v", gap, last.said, err)
			}
			last = next
			count++
		}
		if count < 3 {
			t.Errorf("%d tries failed", count)
		}
	})
}

// try is one that failed.
type try struct {
	at   time.Time
	said string
}

// occupy holds what a migration of tasks needs.
func occupy(t *testing.T, d, url string) (release func()) {
	t.Helper()
	if d == dialect.Postgres {
		tx := hold(t, url)
		return func() { _ = tx.Rollback() }
	}
	tx, err := dbtest.OpenURL(t, url).SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return func() { _ = tx.Rollback() }
}

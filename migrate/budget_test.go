package migrate_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"records/internal/dbtest"
	"records/migrate"
)

// A migration that locks several tables, whose holders let go one after the other,
// holds back the traffic on the first one for no longer than one lock would,
// whether it waits for them in several statements or in one.
func TestWaitingIsBounded(t *testing.T) {
	for name, waits := range map[string]string{
		"statements":    "ALTER TABLE t1 ADD COLUMN b text; ALTER TABLE t2 ADD COLUMN b text; ALTER TABLE t3 ADD COLUMN b text; ALTER TABLE t4 ADD COLUMN b text;",
		"one statement": "LOCK TABLE t1, t2, t3, t4; ALTER TABLE t4 ADD COLUMN b text;",
	} {
		t.Run(name, func(t *testing.T) {
			db, url := postgres(t)
			other := dbtest.OpenURL(t, url)
			for i := range 5 {
				execute(t, db, fmt.Sprintf("CREATE TABLE t%d (a text)", i))
				if i > 0 {
					holdFor(t, url, fmt.Sprintf("t%d", i), time.Duration(i)*800*time.Millisecond)
				}
			}
			var said []string
			o := migrate.Options{LockTimeout: time.Second, Patience: 30 * time.Second, Say: func(s string) { said = append(said, s) }}
			source := dbtest.Migrations(t, map[string]string{"20270101000000_add.sql": "ALTER TABLE t0 ADD COLUMN b text; " + waits})
			done := make(chan error, 1)
			go func() {
				_, err := source.Up(context.Background(), db, o)
				done <- err
			}()
			slowest := time.Duration(0)
			for ended := false; !ended; time.Sleep(5 * time.Millisecond) {
				start := time.Now()
				number(t, other, "SELECT count(*) FROM t0")
				slowest = max(slowest, time.Since(start))
				select {
				case err := <-done:
					if ended = true; err != nil {
						t.Error(err)
					}
				default:
				}
			}
			if slowest > 1800*time.Millisecond {
				t.Errorf("a reader waited for %s", slowest)
			}
			if len(said) == 0 || !strings.Contains(said[0], "it waited for AccessExclusiveLock on t") || !strings.Contains(said[0], "Nothing of this migration was kept; trying again in 500ms") {
				t.Errorf("said %q", said)
			}
			number(t, db, "SELECT count(b) FROM t4")
		})
	}
}

// holdFor uses a table for so long.
func holdFor(t *testing.T, url, table string, long time.Duration) {
	t.Helper()
	tx, err := dbtest.OpenURL(t, url).SQL().BeginTx(t.Context(), nil)
	if err == nil {
		_, err = tx.Exec("LOCK TABLE " + table)
	}
	if err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(long, func() { _ = tx.Rollback() })
}

// What a migration works is no waiting: a long statement leaves the next one its
// time to wait.
func TestWorkIsNoWaiting(t *testing.T) {
	db, url := postgres(t)
	execute(t, db, "CREATE TABLE t (a text)")
	var said []string
	holdFor(t, url, "t", 1600*time.Millisecond)
	o := migrate.Options{LockTimeout: time.Second, Say: func(s string) { said = append(said, s) }}
	source := dbtest.Migrations(t, map[string]string{"20270101000000_work.sql": "SELECT pg_sleep(1); ALTER TABLE t ADD COLUMN b text;"})
	if _, err := source.Up(t.Context(), db, o); err != nil || len(said) != 0 {
		t.Errorf("%v, said %q", err, said)
	}
}

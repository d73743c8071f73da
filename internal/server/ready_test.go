package server_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate"
)

// A replica that still runs while a newer program migrates the database stays
// ready for as long as it can serve what comes of it.
func TestReadyUnderANewerSchema(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := start(t, db)
		later := map[string]string{"20270101000000_add.sql": "CREATE TABLE later (id integer);"}
		migrateTo := func() {
			t.Helper()
			if _, err := dbtest.Migrations(t, later).Up(t.Context(), db, migrate.Options{}); err != nil {
				t.Fatal(err)
			}
		}
		migrateTo()
		wantStatus(t, "newer and served", raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n"), 200)
		later["20270102000000_drop_phone.sql"] = "ALTER TABLE contacts DROP COLUMN phone;"
		migrateTo()
		r := raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n")
		wantStatus(t, "newer and refused", r, 503)
		if !strings.Contains(string(r.Body), "The database was migrated by a newer version, which this one cannot serve.") {
			t.Errorf("it answers %s", r.Body)
		}
		wantStatus(t, "liveness", raw(t, s, "GET /livez HTTP/1.1\nHost: a\n\n"), 200)
	})
}

// However many ask whether it is ready, one question goes to the database at a time.
func TestManyAskIfReady(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.Postgres)
	s, pool := start(t, db), db.SQL()
	lock, err := pool.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.ExecContext(t.Context(), "LOCK TABLE "+migrate.Table+" IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	before := pool.Stats().InUse
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() { wantStatus(t, "ready", raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n"), 200) })
	}
	time.Sleep(500 * time.Millisecond)
	if n := pool.Stats().InUse - before; n != 1 {
		t.Errorf("they hold %d connections", n)
	}
	_ = lock.Rollback()
	all.Wait()
}

// A server whose role may no longer look at the migrations says so, and names nothing of
// the database.
func TestReadyForItsRole(t *testing.T) {
	t.Parallel()
	owner, served := dbtest.Confined(t)
	s, role := start(t, served), dbtest.Rows(t, served, "SELECT current_user")[0][0]
	ready := "GET /readyz HTTP/1.1\nHost: a\n\n"
	wantStatus(t, "as it should be", raw(t, s, ready), 200)
	if _, err := owner.SQL().ExecContext(t.Context(), "REVOKE SELECT ON schema_history FROM "+role); err != nil {
		t.Fatal(err)
	}
	r := raw(t, s, ready)
	wantError(t, "readiness", r, 503, "unavailable", "PostgreSQL does not let this server's role read all that it has to.")
	if strings.Contains(string(r.Body), "schema_history") || strings.Contains(string(r.Body), role) {
		t.Errorf("it tells what is inside: %s", r.Body)
	}
}

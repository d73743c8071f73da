package dbtest

import (
	"context"
	"os"
	"testing"
	"time"

	"records/internal/database"
)

// NewStandby makes a hot standby of a cluster and starts it, for as long as the test
// lasts. From then on the cluster waits for it with every commit.
func NewStandby(t testing.TB, primary *Cluster) *Cluster {
	t.Helper()
	c := newCluster(t, primary.settings)
	c.Follow(t, primary)
	return c
}

// Follow makes a cluster, which is stopped, a standby of another, at its own address.
// What it held is lost. The other waits for it with every commit.
func (c *Cluster) Follow(t testing.TB, primary *Cluster) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clusterWait)
	defer cancel()
	if err := os.RemoveAll(c.files.Data()); err != nil {
		t.Fatal(err)
	}
	backup := c.Command(ctx, "pg_basebackup", "--dbname="+primary.URL, "--pgdata="+c.files.Data(),
		"--write-recovery-conf", "--checkpoint=fast", "--no-sync")
	if out, err := backup.CombinedOutput(); err != nil {
		t.Fatalf("pg_basebackup: %v\n%s", err, out)
	}
	c.Start(t)
	db := openOne(t, primary.URL)
	for _, statement := range []string{"ALTER SYSTEM SET synchronous_standby_names = '*'", "SELECT pg_reload_conf()"} {
		if _, err := db.SQL().ExecContext(ctx, statement); err != nil {
			t.Fatal(err)
		}
	}
	awaitOne(ctx, t, db, "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
}

// Promote makes a standby the primary, and waits until it is.
func (c *Cluster) Promote(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), clusterWait)
	defer cancel()
	db := openOne(t, c.URL)
	awaitOne(ctx, t, db, "SELECT pg_promote()::int")
}

// Clients tells how many connections of the program a cluster has taken since a moment,
// and still has.
func (c *Cluster) Clients(t testing.TB, since time.Time) (n int) {
	t.Helper()
	db := openOne(t, c.URL)
	defer db.Close()
	if err := db.SQL().QueryRowContext(t.Context(),
		"SELECT count(*) FROM pg_stat_activity WHERE application_name = 'records' AND backend_start > $1", since).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// openOne opens a single connection, which is none of the program's.
func openOne(t testing.TB, url string) *database.DB {
	t.Helper()
	db, err := database.Open(url+"&application_name=test", database.Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// awaitOne asks until the answer is 1.
func awaitOne(ctx context.Context, t testing.TB, db *database.DB, query string) {
	t.Helper()
	for n := 0; n != 1; time.Sleep(10 * time.Millisecond) {
		if err := db.SQL().QueryRowContext(ctx, query).Scan(&n); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
}

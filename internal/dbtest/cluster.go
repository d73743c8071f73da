package dbtest

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"records/internal/pgcluster"
)

// clusterWait is how long a PostgreSQL may take to start and to stop.
const clusterWait = 60 * time.Second

// Cluster is a PostgreSQL of a test's own, which it may stop, kill and freeze. It
// keeps what it commits, as one in production does.
type Cluster struct {
	// URL is that of its first database, for a superuser.
	URL string

	files    *pgcluster.Cluster
	port     int
	settings []string
	log      string
	server   *exec.Cmd
	ended    chan struct{}
	frozen   []int // processes
}

// NewCluster makes a PostgreSQL and starts it, for as long as the test lasts, with
// further settings such as "max_connections=20". TEST_POSTGRES_BIN names the folder
// of its programs.
func NewCluster(t testing.TB, settings ...string) *Cluster {
	t.Helper()
	c := newCluster(t, settings)
	if err := c.files.Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Start(t)
	return c
}

// newCluster is one with nothing in it.
func newCluster(t testing.TB, settings []string) *Cluster {
	t.Helper()
	bin := os.Getenv("TEST_POSTGRES_BIN")
	if bin == "" {
		t.Fatal("TEST_POSTGRES_BIN is not set: run make test")
	}
	folder := openFolder(t)
	files, err := pgcluster.New(bin, folder)
	if err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	c := &Cluster{URL: pgcluster.URL(port), files: files, port: port, settings: settings, log: filepath.Join(folder, "log")}
	t.Cleanup(func() { c.Stop(t, syscall.SIGQUIT) })
	return c
}

// openFolder is one that every user may enter, for PostgreSQL refuses to run as
// root; the test's own folder is closed to others.
func openFolder(t testing.TB) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "records-cluster-*") //nolint:usetesting // closed to others
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o711); err != nil {
		t.Fatal(err)
	}
	return folder
}

// Start serves the cluster again, at the same address, and waits until it answers.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	for until := time.Now().Add(clusterWait); ; time.Sleep(50 * time.Millisecond) {
		c.launch(t)
		if c.awaitReady(until) {
			return
		}
		// One that was killed leaves processes which end a moment later.
		if time.Now().After(until) {
			log, _ := os.ReadFile(c.log)
			t.Fatalf("PostgreSQL does not start:\n%s", log)
		}
	}
}

func (c *Cluster) launch(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(c.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	c.server = c.files.Serve(c.port, c.settings...)
	c.server.Stdout, c.server.Stderr = log, log
	if err := c.server.Start(); err != nil {
		t.Fatal(err)
	}
	c.ended = make(chan struct{})
	go func(server *exec.Cmd, ended chan struct{}) { defer close(ended); _ = server.Wait() }(c.server, c.ended)
}

// awaitReady returns false where the server has ended, or it is too late.
func (c *Cluster) awaitReady(until time.Time) bool {
	for time.Now().Before(until) {
		select {
		case <-c.ended:
			return false
		case <-time.After(10 * time.Millisecond):
		}
		if c.files.Ready(c.server.Process.Pid, c.port) {
			return true
		}
	}
	return false
}

// Stop ends the server and waits until it has: SIGTERM lets its clients finish,
// SIGINT cuts them off, SIGQUIT leaves at once as a crash does, and SIGKILL is one.
func (c *Cluster) Stop(t testing.TB, how syscall.Signal) {
	t.Helper()
	if c.server == nil {
		return
	}
	_ = c.server.Process.Signal(how) // the error: it has ended already
	select {
	case <-c.ended:
	case <-time.After(clusterWait):
		t.Errorf("PostgreSQL does not end by %s", how)
		_ = c.server.Process.Kill()
		<-c.ended
	}
}

// Command returns one of PostgreSQL's programs, such as pg_dump.
func (c *Cluster) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	return c.files.Command(ctx, program, args...)
}

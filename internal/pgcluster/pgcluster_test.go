package pgcluster

import (
	"os"
	"slices"
	"testing"
)

// Only the lock file of the very server that was started means that it is ready.
func TestReady(t *testing.T) {
	c := &Cluster{home: t.TempDir()}
	if c.Ready(71, 5433) {
		t.Error("a server without a lock file is ready")
	}
	if err := os.Mkdir(c.Data(), 0o700); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]bool{
		"71\n/data\n1700000000\n5433\n\n127.0.0.1\n  1 2\nready   \n": true,
		"71\n/data\n1700000000\n5433\n\n127.0.0.1\n  1 2\nstarting\n": false,
		"72\n/data\n1700000000\n5433\n\n127.0.0.1\n  1 2\nready   \n": false,
		"71\n/data\n1700000000\n5434\n\n127.0.0.1\n  1 2\nready   \n": false,
		"71\n/data\n1700000000\n5433\n\n":                             false,
	} {
		if err := os.WriteFile(c.Data()+"/postmaster.pid", []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := c.Ready(71, 5433); got != want {
			t.Errorf("%q: ready is %t", text, got)
		}
	}
}

func TestEnvironment(t *testing.T) {
	got := environment([]string{"PATH=/bin", "PGDATA=/x", "PGPORT=1", "LC_ALL=de_DE", "TMPDIR=/t"})
	if want := []string{"LC_ALL=C", "PATH=/bin", "TMPDIR=/t"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

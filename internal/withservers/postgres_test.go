package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestParseMajor(t *testing.T) {
	for line, want := range map[string]int{
		"postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n": 15,
		"postgres (PostgreSQL) 18.1":                             18,
		"postgres (PostgreSQL) 19beta2":                          19,
		"postgres (PostgreSQL) 9.6.24":                           9,
		"postgres: command not found":                            0,
		"":                                                       0,
	} {
		if got := parseMajor(line); got != want {
			t.Errorf("%q is version %d, not %d", line, got, want)
		}
	}
}

// Only the lock file of the very server that was started means that it is ready.
func TestPostgresReady(t *testing.T) {
	data := t.TempDir()
	for text, want := range map[string]bool{
		"71\n/data\n1700000000\n5433\n\n127.0.0.1\n  1 2\nready   \n": true,
		"71\n/data\n1700000000\n5433\n\n127.0.0.1\n  1 2\nstarting\n": false,
		"72\n/data\n1700000000\n5433\n\n127.0.0.1\n  1 2\nready   \n": false,
		"71\n/data\n1700000000\n5434\n\n127.0.0.1\n  1 2\nready   \n": false,
		"71\n/data\n1700000000\n5433\n\n":                             false,
	} {
		if err := os.WriteFile(filepath.Join(data, "postmaster.pid"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := postgresReady(data, 71, 5433); got != want {
			t.Errorf("%q: ready is %t", text, got)
		}
	}
	if postgresReady(filepath.Join(data, "absent"), 71, 5433) {
		t.Error("a server without a lock file is ready")
	}
}

func TestPostgresEnvironment(t *testing.T) {
	got := postgresEnvironment([]string{"PATH=/bin", "PGDATA=/x", "PGPORT=1", "LC_ALL=de_DE", "TMPDIR=/t"})
	if want := []string{"LC_ALL=C", "PATH=/bin", "TMPDIR=/t"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

package main

import (
	"os"
	"path/filepath"
	"testing"
)

// A link in PATH leads to the folder where the other programs are, and a folder that
// lacks one of them will not do.
func TestFindPostgres(t *testing.T) {
	if findPostgres() == "" {
		t.Fatal("no PostgreSQL is found: run make test")
	}
	all, linked, few := t.TempDir(), t.TempDir(), t.TempDir()
	server := filepath.Join(all, "postgres")
	if err := os.WriteFile(server, []byte("#!/bin/sh\necho 'postgres (PostgreSQL) 18.1'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, program := range postgresPrograms {
		if err := os.WriteFile(filepath.Join(all, program), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{linked, few} {
		if err := os.Symlink(server, filepath.Join(folder, "postgres")); err != nil {
			t.Fatal(err)
		}
	}
	if got := postgresMajor(all); got != 18 {
		t.Errorf("version %d, want 18", got)
	}
	if got := postgresMajor(few); got != 0 {
		t.Errorf("a folder with the server alone is taken for version %d", got)
	}
	t.Setenv("PATH", linked)
	if got, err := filepath.EvalSymlinks(all); err != nil || findPostgres() != got {
		t.Errorf("found %s, want %s, %v", findPostgres(), got, err)
	}
}

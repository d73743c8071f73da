// Package sourcetest copies the program's source, for tests that change schemas
// and build what comes of it.
package sourcetest

import (
	"os"
	"path/filepath"
	"testing"
)

// parts are what the program is built and documented from.
var parts = []string{"cmd", "config", "docs", "ent", "internal", "migrate", "go.mod", "go.sum", "Makefile"}

// Copy copies the source into a folder that goes with the test, and returns it.
func Copy(t testing.TB) string {
	t.Helper()
	from, to := root(t), t.TempDir()
	for _, part := range parts {
		if err := copyPart(filepath.Join(from, part), filepath.Join(to, part)); err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func copyPart(from, to string) error {
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.CopyFS(to, os.DirFS(from))
	}
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o600)
}

// root is the folder of go.mod, at or above the test's.
func root(t testing.TB) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder
		}
		parent := filepath.Dir(folder)
		if parent == folder {
			t.Fatal("no go.mod at or above the test's folder")
		}
		folder = parent
	}
}

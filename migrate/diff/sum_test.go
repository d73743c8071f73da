package diff_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"records/migrate"
	"records/migrate/diff"
)

// A migration that is amended by hand is refused until the checksums are renewed;
// then it is as good as a generated one.
func TestSum(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for _, name := range []string{"postgres", "sqlite"} {
		if err := os.CopyFS(filepath.Join(folder, name), os.DirFS(filepath.Join("..", name))); err != nil {
			t.Fatal(err)
		}
		added := "-- +goose Up\n-- records: allow destroys: planted\nDELETE FROM tasks;\n"
		if err := os.WriteFile(filepath.Join(folder, name, "20990101000000_by_hand.sql"), []byte(added), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lint := func() error {
		findings, err := migrate.From(os.DirFS(folder)).LintSince(0)
		if err == nil && len(findings) > 0 {
			t.Errorf("found %v", findings)
		}
		return err
	}
	if err := lint(); err == nil || !strings.Contains(err.Error(), "do not match their atlas.sum") {
		t.Errorf("before: %v", err)
	}
	for _, name := range []string{"postgres", "sqlite"} {
		if err := diff.Sum(filepath.Join(folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := lint(); err != nil {
		t.Error(err)
	}
}

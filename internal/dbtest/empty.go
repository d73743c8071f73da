package dbtest

import (
	"path/filepath"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/scratchdb"
)

// EmptyURL returns the URL of a database of its own for the test in which
// nothing is, not even a migration.
func EmptyURL(t *testing.T, name string) string {
	t.Helper()
	if name == dialect.SQLite {
		return "sqlite:" + filepath.Join(t.TempDir(), "empty.db")
	}
	address, drop, err := scratchdb.Postgres(t.Context(), "make test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(); err != nil {
			t.Error(err)
		}
	})
	return address
}

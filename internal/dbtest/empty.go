package dbtest

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"
)

// EmptyURL returns the URL of a database of its own for the test in which
// nothing is, not even a migration.
func EmptyURL(t *testing.T, name string) string {
	t.Helper()
	if name == dialect.SQLite {
		return "sqlite:" + filepath.Join(t.TempDir(), "empty.db")
	}
	server := os.Getenv("TEST_POSTGRES_URL")
	admin := OpenURL(t, server)
	run := func(query string) {
		if _, err := admin.SQL().Exec(query); err != nil {
			t.Error(err)
		}
	}
	database := "records_empty_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	run("CREATE DATABASE " + database)
	t.Cleanup(func() { run("DROP DATABASE " + database + " WITH (FORCE)") })
	u, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + database
	return u.String()
}

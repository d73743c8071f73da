package database_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

// A session in which PostgreSQL fires no trigger, and checks no reference, is not used.
func TestTriggersAreFired(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	direct := dbtest.OpenURL(t, url)
	alterDatabase(t, direct, "SET session_replication_role = replica")
	err := dbtest.OpenURL(t, url).Ping(t.Context())
	if !database.IsUnavailable(err) || !strings.Contains(err.Error(), "session_replication_role is replica") {
		t.Errorf("a server that fires no trigger: %v", err)
	}
	alterDatabase(t, direct, "RESET session_replication_role")
	if err := dbtest.OpenURL(t, url).Ping(t.Context()); err != nil {
		t.Error(err)
	}
}

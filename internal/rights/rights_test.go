package rights_test

import (
	"slices"
	"testing"

	"records/internal/dbtest"
	"records/internal/rights"
)

// Whoever owns the tables lacks nothing; what a role lacks is told by table. What serving
// does not need is not asked for, and all that is named is there.
func TestLacking(t *testing.T) {
	t.Parallel()
	owner, served := dbtest.Confined(t)
	lacks := func(want ...string) {
		t.Helper()
		unread, err := rights.Lacking(t.Context(), served.SQL(), rights.ToRead())
		if err != nil {
			t.Fatal(err)
		}
		unwritten, err := rights.Lacking(t.Context(), served.SQL(), rights.ToWrite())
		if got := slices.Concat(unread, unwritten); err != nil || !slices.Equal(got, want) {
			t.Errorf("lacks %q, %v; want %q", got, err, want)
		}
	}
	lacks()
	role := dbtest.Rows(t, served, "SELECT current_user")[0][0]
	for _, statement := range []string{
		"REVOKE UPDATE, DELETE ON tasks, audit_events, users FROM ", "REVOKE ALL ON invoices FROM ", "REVOKE DELETE ON workspaces, record_counts FROM ",
	} {
		if _, err := owner.SQL().ExecContext(t.Context(), statement+role); err != nil {
			t.Fatal(err)
		}
	}
	lacks("SELECT on invoices", "UPDATE, DELETE on tasks", "UPDATE on users")
	for table := range rights.ToRead() {
		if there := dbtest.Rows(t, owner, "SELECT to_regclass('"+table+"') IS NOT NULL")[0][0]; there != "true" {
			t.Errorf("%s is not there: %s", table, there)
		}
	}
	for table := range rights.ToWrite() {
		if _, known := rights.ToRead()[table]; !known {
			t.Errorf("%s is written, and no table of the schema", table)
		}
	}
}

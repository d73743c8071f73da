package rowsecurity_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/rowsecurity"
)

// outside are the tables with a workspace that are not confined, and why.
var outside = map[string]string{
	"api_keys":         "a key is looked up by its hash, before its workspace is known",
	"audit_events":     "written with what it records, by an operator too",
	"invitations":      "one is looked up by its hash, by somebody who is in no workspace yet",
	"key_traffic":      "a process writes that of all keys at once",
	"members":          "people choose among the workspaces that they are in",
	"refused_requests": "as key_traffic",
}

// policies is what each table has, as the database says it.
const policies = `SELECT tablename, relrowsecurity::text, string_agg(concat_ws('|', policyname, permissive, roles::text, cmd, qual, with_check), E'\n' ORDER BY policyname)
	FROM pg_policies JOIN pg_class ON pg_class.oid = tablename::regclass GROUP BY 1, 2 ORDER BY 1`

// The policies of the database are those of the schemas: every table that has a
// workspace is confined to it, or is known not to be.
func TestEveryTableIsConfined(t *testing.T) {
	t.Parallel()
	db, served := dbtest.Confined(t)
	var role string
	if err := served.SQL().QueryRowContext(t.Context(), "SELECT current_user").Scan(&role); err != nil {
		t.Fatal(err)
	}
	own := "(workspace_id = (NULLIF(current_setting('records.workspace'::text, true), ''::text))::uuid)"
	want := fmt.Sprintf("records_everyone|PERMISSIVE|{public}|ALL|true|true\nrecords_workspace|RESTRICTIVE|{%s}|ALL|%s|%[2]s", role, own)
	var confined []string
	for _, row := range dbtest.Rows(t, db, policies) {
		confined = append(confined, row[0])
		if row[1] != "true" || row[2] != want {
			t.Errorf("%s: switched on: %s\n%s\nwant\n%s", row[0], row[1], row[2], want)
		}
	}
	if !slices.Equal(confined, rowsecurity.Tables()) {
		t.Errorf("%v are confined, want %v", confined, rowsecurity.Tables())
	}
	for _, row := range dbtest.Rows(t, db, "SELECT table_name FROM information_schema.columns WHERE column_name = 'workspace_id' AND table_schema = 'public'") {
		if known := outside[row[0]] != ""; known == slices.Contains(confined, row[0]) {
			t.Errorf("%s has a workspace: put it under row-level security, or say here why not", row[0])
		}
	}
}

// It comes and goes as it was told to, comes back in a table that lacks it, and is
// for the roles that were named last.
func TestOnAndOff(t *testing.T) {
	t.Parallel()
	db, served := dbtest.Confined(t)
	is := func(what string, wantRoles int, held bool) {
		t.Helper()
		roles, err := rowsecurity.Roles(t.Context(), db)
		if err != nil || len(roles) != wantRoles {
			t.Errorf("%s: %v are confined, want %d; %v", what, roles, wantRoles, err)
		}
		tables, err := rowsecurity.Holds(t.Context(), served)
		if err != nil || held != slices.Equal(tables, rowsecurity.Tables()) || !held && len(tables) > 0 {
			t.Errorf("%s: the role is confined in %v; %v", what, tables, err)
		}
		if owner, err := rowsecurity.Holds(t.Context(), db); err != nil || len(owner) > 0 {
			t.Errorf("%s: the owner is confined in %v; %v", what, owner, err)
		}
	}
	is("on", 1, true)
	for _, statement := range []string{"DROP POLICY records_workspace ON tasks", "ALTER TABLE deals DISABLE ROW LEVEL SECURITY"} {
		if _, err := db.SQL().ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if kept, err := rowsecurity.Keep(t.Context(), db, time.Second); err != nil || len(kept) != 1 {
		t.Errorf("kept for %v; %v", kept, err)
	}
	is("kept", 1, true)
	keepsBesideReaders(t, db)
	if err := rowsecurity.On(t.Context(), db, time.Second, "pg_monitor"); err != nil {
		t.Error(err)
	}
	is("on for another", 1, false)
	for range 2 {
		if err := rowsecurity.Off(t.Context(), db, time.Second); err != nil {
			t.Error(err)
		}
		is("off", 0, false)
	}
	if kept, err := rowsecurity.Keep(t.Context(), db, time.Second); err != nil || len(kept) > 0 {
		t.Errorf("off, and kept for %v; %v", kept, err)
	}
	if rows := dbtest.Rows(t, db, policies); len(rows) > 0 {
		t.Errorf("%v are left", rows)
	}
}

// keepsBesideReaders fails if a table that is under it already is locked to be kept so.
func keepsBesideReaders(t *testing.T, db *database.DB) {
	t.Helper()
	tx, err := db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(t.Context(), "LOCK TABLE tasks, deals IN ACCESS SHARE MODE"); err != nil {
		t.Fatal(err)
	}
	if kept, err := rowsecurity.Keep(t.Context(), db, 50*time.Millisecond); err != nil || len(kept) != 1 {
		t.Errorf("beside readers: kept for %v; %v", kept, err)
	}
}

// A role that passes row-level security, or is not there, is refused, and a table
// that others hold is not waited for.
func TestOnRefuses(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.Postgres)
	me := dbtest.Rows(t, db, "SELECT current_user")[0][0]
	for role, want := range map[string]string{
		"no such role": `there is no role "no such role": make it, and grant it what docs/operations.md says`,
		me:             `the role "` + me + `" passes row-level security: it is a superuser or has BYPASSRLS`,
	} {
		if err := rowsecurity.On(t.Context(), db, time.Second, role); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	tx, err := db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(t.Context(), "LOCK TABLE tasks IN ACCESS SHARE MODE"); err != nil {
		t.Fatal(err)
	}
	if err := rowsecurity.On(t.Context(), db, 50*time.Millisecond, "pg_monitor"); !database.IsHeldUp(err) {
		t.Errorf("%v, want a lock that was not to be had", err)
	}
}

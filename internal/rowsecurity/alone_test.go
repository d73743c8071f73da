package rowsecurity_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/ent"
	entrest "records/ent/rest"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/rest"
	"records/internal/rowsecurity"
	"records/internal/viewer"
)

// world has two workspaces full of records. No other wall stands: served is asked by
// hand, over one connection, without a word of a workspace.
type world struct {
	db, served *database.DB
	a, b       uuid.UUID
}

func newWorld(t *testing.T) world {
	t.Helper()
	owner, role := dbtest.ConfinedURLs(t)
	served, err := database.Open(role, database.Options{MaxConns: 1, StatementCache: 100, Confined: rowsecurity.Tables()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = served.Close() })
	w := world{db: dbtest.OpenURL(t, owner), served: served}
	client := ent.NewClient(ent.Driver(served.Driver()))
	for name, id := range map[string]*uuid.UUID{"a": &w.a, "b": &w.b} {
		*id = client.Workspace.Create().SetName(name).SaveX(rule.AsOperator(t.Context())).ID
		if _, err := load.Demo(in(t.Context(), *id), client); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func in(ctx context.Context, workspace uuid.UUID) context.Context {
	return viewer.NewContext(ctx, viewer.Viewer{Workspace: workspace, Scope: viewer.Write})
}

// dump is everything of a workspace, its counts included.
func (w world) dump(t *testing.T, workspace uuid.UUID) string {
	t.Helper()
	var b strings.Builder
	for _, table := range rowsecurity.Tables() {
		fmt.Fprintln(&b, table, dbtest.Rows(t, w.db, fmt.Sprintf("SELECT * FROM %s WHERE workspace_id = '%s' ORDER BY 1, 2, 3", table, workspace)))
	}
	return b.String()
}

// sees asks by hand which workspaces there are in a table, and how many rows.
func (w world) sees(t *testing.T, ctx context.Context, table string) string {
	t.Helper()
	var all string
	query := "SELECT coalesce(string_agg(concat(workspace_id, ' ', n), ', '), '') FROM (SELECT workspace_id, count(*) AS n FROM " + table + " GROUP BY 1) AS each_workspace WHERE $1"
	if err := w.served.SQL().QueryRowContext(ctx, query, true).Scan(&all); err != nil {
		t.Error(err)
	}
	return all
}

// there is what sees should say: what the owner sees of one workspace.
func (w world) there(t *testing.T, workspace uuid.UUID, table string) string {
	t.Helper()
	return dbtest.Rows(t, w.db, fmt.Sprintf("SELECT concat(workspace_id, ' ', count(*)) FROM %s WHERE workspace_id = '%s' GROUP BY workspace_id", table, workspace))[0][0]
}

// exec runs a statement by hand, and returns how many rows it changed.
func (w world) exec(ctx context.Context, statement string) (int64, error) {
	result, err := w.served.SQL().ExecContext(ctx, statement)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// With no other wall, and on one connection that all share, nothing of another
// workspace is seen; where nobody asks, nothing at all.
func TestNothingElseIsSeen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, table := range rowsecurity.Tables() {
		for range 3 { // as it is, prepared, and kept
			if got := w.sees(t, in(t.Context(), w.a), table); got != w.there(t, w.a, table) {
				t.Errorf("%s: a sees %s", table, got)
			}
			if got := w.sees(t, t.Context(), table); got != "" {
				t.Errorf("%s: nobody sees %s", table, got)
			}
			if got := w.sees(t, in(t.Context(), w.b), table); got != w.there(t, w.b, table) {
				t.Errorf("%s: b sees %s", table, got)
			}
			if got := w.sees(t, in(t.Context(), uuid.New()), table); got != "" {
				t.Errorf("%s: a workspace that there is not sees %s", table, got)
			}
		}
		if got := dbtest.Rows(t, w.served, "SELECT 1 FROM "+table); len(got) > 0 {
			t.Errorf("%s: nobody sees %d rows by a statement without arguments", table, len(got))
		}
	}
}

// Nor is it changed, removed, made or counted.
func TestNothingElseIsWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, before := in(t.Context(), w.a), w.dump(t, w.b)
	for _, r := range entrest.Resources(nil) {
		table := r.Spec().Table
		copied := fmt.Sprintf("INSERT INTO %s (workspace_id, id, %s) SELECT '%s', gen_random_uuid(), %[2]s FROM %[1]s LIMIT 1", table, "created_at, updated_at"+required(r), w.b)
		for what, statement := range map[string]string{
			"a record of another":       copied,
			"a record moved to another": fmt.Sprintf("UPDATE %s SET workspace_id = '%s'", table, w.b),
		} {
			if _, err := w.exec(a, statement); err == nil || !strings.Contains(err.Error(), "row-level security") {
				t.Errorf("%s: %s: %v", table, what, err)
			}
		}
		if n, err := w.exec(t.Context(), "UPDATE "+table+" SET updated_at = now()"); n != 0 || err != nil {
			t.Errorf("%s: nobody changed %d; %v", table, n, err)
		}
		if n, err := w.exec(a, fmt.Sprintf("UPDATE %s SET updated_at = now() WHERE workspace_id = '%s'", table, w.b)); n != 0 || err != nil {
			t.Errorf("%s: a changed %d of b's; %v", table, n, err)
		}
		if n, err := w.exec(a, "UPDATE "+table+" SET updated_at = now()"); n == 0 || err != nil {
			t.Errorf("%s: a changed %d of its own; %v", table, n, err)
		}
	}
	if _, err := w.exec(a, fmt.Sprintf("INSERT INTO record_counts (workspace_id, resource, slot, n) VALUES ('%s', 'tasks', 99, 5)", w.b)); err == nil {
		t.Error("a counts for b")
	}
	for _, table := range rowsecurity.Tables() {
		if n, err := w.exec(a, "DELETE FROM "+table); n == 0 && table != "record_counts" || err != nil {
			t.Errorf("%s: a removed %d of its own; %v", table, n, err)
		}
		if n, err := w.exec(t.Context(), "DELETE FROM "+table); n != 0 || err != nil {
			t.Errorf("%s: nobody removed %d; %v", table, n, err)
		}
	}
	if after := w.dump(t, w.b); after != before {
		t.Errorf("b changed:\n%s\n%s", before, after)
	}
}

// required are the further columns that a record of a resource must have.
func required(r rest.Resource) (columns string) {
	for _, f := range r.Fields() {
		if f.Required {
			columns += fmt.Sprintf(", %q", f.Name)
		}
	}
	return columns
}

// Where the policies of the program are passed by, a viewer reaches no more by Ent:
// not with a query, an update, a delete, nor by a neighbour.
func TestPoliciesThatAreSkipped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	before, ctx := w.dump(t, w.b), rule.AsOperator(in(t.Context(), w.a))
	client := ent.NewClient(ent.Driver(w.served.Driver()))
	for _, task := range client.Task.Query().WithProject().AllX(ctx) {
		if task.WorkspaceID != w.a || task.Edges.Project != nil && task.Edges.Project.WorkspaceID != w.a {
			t.Fatalf("a sees %v", task)
		}
	}
	all := ent.NewClient(ent.Driver(w.db.Driver())).Task.Query().AllX(rule.AsOperator(t.Context()))
	for _, task := range all {
		if task.WorkspaceID != w.b {
			continue
		}
		if _, err := client.Task.Get(ctx, task.ID); !ent.IsNotFound(err) {
			t.Errorf("a gets b's task: %v", err)
		}
		if _, err := client.Task.UpdateOneID(task.ID).SetName("taken").Save(ctx); !ent.IsNotFound(err) {
			t.Errorf("a changes b's task: %v", err)
		}
		if err := client.Task.DeleteOneID(task.ID).Exec(ctx); !ent.IsNotFound(err) {
			t.Errorf("a removes b's task: %v", err)
		}
	}
	client.Task.Update().SetName("mine").ExecX(ctx)
	if _, err := client.Task.Create().SetWorkspaceID(w.b).SetName("given").Save(ctx); err == nil {
		t.Error("a makes a task of b's")
	}
	if n := client.Task.Query().CountX(rule.AsOperator(t.Context())); n != 0 {
		t.Errorf("nobody counts %d tasks", n)
	}
	if n := client.Task.Delete().ExecX(ctx); n == 0 || n == len(all) {
		t.Errorf("a removed %d of %d tasks", n, len(all))
	}
	if after := w.dump(t, w.b); after != before {
		t.Errorf("b changed:\n%s\n%s", before, after)
	}
}

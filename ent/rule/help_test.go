package rule_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/privacy"
	"github.com/google/uuid"

	"records/ent"
	entrest "records/ent/rest"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/ent/task"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/viewer"
)

// party is one workspace, full of records, and who acts for it.
type party struct {
	id      uuid.UUID
	ctx     context.Context // may write
	task    *ent.Task       // one that refers to project
	project *ent.Project
}

// world is a database with two workspaces. In every test a acts, and b is the
// one that must notice nothing.
type world struct {
	db     *database.DB
	client *ent.Client
	a, b   party
}

// each runs a test on both databases.
func each(t *testing.T, f func(t *testing.T, w world)) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		w := world{db: db, client: ent.NewClient(ent.Driver(db.Driver()))}
		w.a, w.b = w.party(t, "a"), w.party(t, "b")
		f(t, w)
	})
}

func (w world) party(t *testing.T, name string) party {
	t.Helper()
	created := w.client.Workspace.Create().SetName(name).SaveX(rule.AsOperator(t.Context()))
	p := party{id: created.ID, ctx: as(t, created.ID, viewer.Write)}
	if _, err := load.Demo(p.ctx, w.client); err != nil {
		t.Fatal(err)
	}
	p.task = w.client.Task.Query().Where(task.ProjectIDNotNil()).FirstX(p.ctx)
	p.project = p.task.QueryProject().OnlyX(p.ctx)
	return p
}

func as(t *testing.T, workspace uuid.UUID, scope viewer.Scope) context.Context {
	return viewer.NewContext(t.Context(), viewer.Viewer{Workspace: workspace, Scope: scope})
}

// unchanged runs f and fails if it changed anything of workspace b.
func (w world) unchanged(t *testing.T, f func()) {
	t.Helper()
	before := w.dump(t, w.b.id)
	f()
	if after := w.dump(t, w.b.id); after != before {
		t.Errorf("the other workspace changed:\nbefore: %s\nafter:  %s", before, after)
	}
}

// dump is every column of every record of a workspace, as the database has it.
func (w world) dump(t *testing.T, workspace uuid.UUID) string {
	t.Helper()
	var b strings.Builder
	for _, r := range entrest.Resources(nil) {
		for _, row := range w.rows(t, fmt.Sprintf("SELECT * FROM %s WHERE workspace_id = '%s' ORDER BY id", r.Spec().Table, workspace)) {
			fmt.Fprintln(&b, r.Spec().Table, row)
		}
	}
	return b.String()
}

// rows returns what a query by hand gives, each value as text.
func (w world) rows(t *testing.T, query string) [][]string {
	t.Helper()
	return dbtest.Rows(t, w.db, query)
}

// denied fails unless a policy refused.
func denied(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, privacy.Deny) {
		t.Errorf("%s: %v, want a denial", what, err)
	}
}

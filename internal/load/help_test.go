package load_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/viewer"
)

// fixture is a database and a workspace to import into.
type fixture struct {
	db     *database.DB
	client *ent.Client
	ctx    context.Context // of the workspace
}

// each runs f with a fixture on both databases.
func each(t *testing.T, f func(t *testing.T, fx fixture)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		client := ent.NewClient(ent.Driver(db.Driver()))
		f(t, fixture{db, client, newWorkspace(t, client)})
	})
}

// newWorkspace returns a context that writes in a workspace of its own.
func newWorkspace(t testing.TB, client *ent.Client) context.Context {
	t.Helper()
	w, err := client.Workspace.Create().SetName(uuid.NewString()).Save(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return viewer.NewContext(t.Context(), viewer.Viewer{Workspace: w.ID, Scope: viewer.Write})
}

// imported imports a file, which must have n rows.
func (f fixture) imported(t *testing.T, plural, file string, format load.Format, n int) {
	t.Helper()
	got, err := load.Import(f.ctx, f.client, plural, strings.NewReader(file), format)
	if err != nil || got != n {
		t.Fatalf("imported %d, %v; want %d", got, err, n)
	}
}

// refused imports tasks from a faulty file: the line must be named, with the
// message if one is given, and nothing stay.
func (f fixture) refused(t *testing.T, file string, format load.Format, line int, message string) {
	t.Helper()
	n, err := load.Import(f.ctx, f.client, "tasks", strings.NewReader(file), format)
	var fault *load.LineError
	if n != 0 || !errors.As(err, &fault) || fault.Line != line || (message != "" && fault.Message != message) {
		t.Errorf("%.200q: %d, %v; want line %d: %s", file, n, err, line, message)
	}
	if left := len(f.tasks(t)); left != 0 {
		t.Errorf("%d tasks of a faulty file stayed", left)
	}
}

// tasks are those of the workspace, in the order of the list: newest first.
func (f fixture) tasks(t *testing.T) []*ent.Task {
	t.Helper()
	all, err := f.client.Task.Query().Order(ent.Desc("id")).All(f.ctx)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// text is what a pointer holds, "null" for none.
func text(s *string) string {
	if s == nil {
		return "null"
	}
	return *s
}

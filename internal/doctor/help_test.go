package doctor_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"
	"github.com/google/uuid"

	"records/ent"
	declared "records/ent/migrate"
	entrest "records/ent/rest"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/doctor"
	"records/internal/load"
	"records/internal/rest"
	"records/internal/viewer"
)

// patient is a database with a workspace of demo records in it.
type patient struct {
	db     *database.DB
	client *ent.Client
	acme   uuid.UUID
	ctx    context.Context // of a writer in it
}

func each(t *testing.T, f func(t *testing.T, p patient)) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) { f(t, admit(t, db)) })
}

func admit(t *testing.T, db *database.DB) patient {
	t.Helper()
	p := patient{db: db, client: ent.NewClient(ent.Driver(db.Driver()))}
	p.acme = p.workspace(t)
	p.ctx = inside(t, p.acme)
	if _, err := load.Demo(p.ctx, p.client); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p patient) workspace(t *testing.T) uuid.UUID {
	t.Helper()
	return p.client.Workspace.Create().SetName(uuid.NewString()).SaveX(rule.AsOperator(t.Context())).ID
}

func inside(t *testing.T, workspace uuid.UUID) context.Context {
	return viewer.NewContext(t.Context(), viewer.Viewer{Workspace: workspace, Scope: viewer.Write})
}

// run runs a statement by hand, and returns how many rows it reached.
func (p patient) run(t *testing.T, query string, args ...any) int64 {
	t.Helper()
	result, err := p.db.SQL().ExecContext(t.Context(), fmt.Sprintf(query, args...))
	if err != nil {
		t.Errorf("%s: %v", query, err)
		return 0
	}
	n, err := result.RowsAffected()
	if err != nil {
		t.Error(err)
	}
	return n
}

// finds examines the database: what it finds must hold these words, one fault
// each, and all of it be mended or none.
func (p patient) finds(t *testing.T, mend bool, words ...string) {
	t.Helper()
	faults, err := doctor.Examine(t.Context(), p.db, mend)
	if err != nil {
		t.Fatal(err)
	}
	if len(faults) != len(words) {
		t.Errorf("found %v, want %q", faults, words)
		return
	}
	for i, f := range faults {
		if !strings.Contains(f.What, words[i]) || f.Mended != mend || f.Remedy == "" {
			t.Errorf("found %v, want %q", f, words[i])
		}
	}
}

// make creates a record of a resource.
func (p patient) make(ctx context.Context, client *ent.Client, r rest.Resource, i int) error {
	all := entrest.Resources(client)
	same, _ := all.Find(r.Spec().Plural)
	body, err := json.Marshal(load.Example(r, i, nil))
	if err == nil {
		_, err = same.Create(ctx, all, body)
	}
	return err
}

func (p patient) examine(t *testing.T, mend bool) ([]doctor.Fault, error) {
	return doctor.Examine(t.Context(), p.db, mend)
}

// inTx runs f in a transaction, which an error of it undoes.
func inTx(ctx context.Context, client *ent.Client, f func(*ent.Client) error) error {
	tx, err := client.Tx(ctx)
	if err != nil {
		return err
	}
	if err := f(tx.Client()); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// columns are those of a table but the workspace, and what a copy of a row has in
// them: the references are left out.
func (p patient) columns(t *testing.T, table string) (columns, values string) {
	t.Helper()
	for _, of := range declared.Tables {
		if of.Name != table {
			continue
		}
		for _, c := range of.Columns {
			referring := slices.ContainsFunc(of.ForeignKeys, func(fk *schema.ForeignKey) bool { return slices.Contains(fk.Columns, c) })
			if c.Name == rule.WorkspaceField || referring {
				continue
			}
			columns += fmt.Sprintf(", %q", c.Name)
			values += fmt.Sprintf(", %s.%q", table, c.Name)
		}
	}
	return columns[2:], values[2:]
}

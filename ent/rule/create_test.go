package rule_test

import (
	"strings"
	"testing"

	entgo "entgo.io/ent"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/task"
	"records/internal/database"
)

// A record cannot be made in another workspace, nor moved into it.
func TestWorkspaceIsTheViewers(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		c, b := w.client.Task, w.b.id
		create := func() *ent.TaskCreate { return c.Create().SetName("planted") }
		byField := create()
		if err := byField.Mutation().SetField(task.FieldWorkspaceID, b); err != nil {
			t.Fatal(err)
		}
		byOp := create().SetWorkspaceID(b)
		byOp.Mutation().SetOp(entgo.OpUpdate)
		move := c.Update().Where(task.ID(w.a.task.ID))
		move.Mutation().SetWorkspaceID(b)
		w.unchanged(t, func() {
			denied(t, "SetWorkspaceID", create().SetWorkspaceID(b).Exec(w.a.ctx))
			denied(t, "SetWorkspace", create().SetWorkspace(&ent.Workspace{ID: b}).Exec(w.a.ctx))
			denied(t, "the zero workspace", create().SetWorkspaceID(uuid.Nil).Exec(w.a.ctx))
			denied(t, "SetField", byField.Exec(w.a.ctx))
			denied(t, "another operation", byOp.Exec(w.a.ctx))
			denied(t, "CreateBulk", c.CreateBulk(create(), create().SetWorkspaceID(b)).Exec(w.a.ctx))
			denied(t, "MapCreateBulk", c.MapCreateBulk([]int{0, 1}, func(q *ent.TaskCreate, i int) {
				q.SetName("planted").SetWorkspaceID([]uuid.UUID{w.a.id, b}[i])
			}).Exec(w.a.ctx))
			denied(t, "an update", move.Exec(w.a.ctx))
		})
		if n := c.Query().Where(task.Name("planted")).CountX(w.a.ctx); n != 0 {
			t.Errorf("%d were made by what was denied", n)
		}
		for _, q := range []*ent.TaskCreate{create(), create().SetWorkspaceID(w.a.id)} {
			if made := q.SaveX(w.a.ctx); made.WorkspaceID != w.a.id {
				t.Errorf("made in %s", made.WorkspaceID)
			}
		}
	})
}

// An update that says that it is a create, by which no row would be narrowed.
func TestUpdateCannotPassForCreate(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.unchanged(t, func() {
			u := w.client.Task.Update().SetStatus("taken")
			u.Mutation().SetOp(entgo.OpCreate)
			_ = u.Exec(w.a.ctx)
		})
	})
}

// A reference to b's project fails as one to no project does: by the same
// error, and nothing is written.
func TestForeignReference(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		c := w.client.Task
		create := func() *ent.TaskCreate { return c.Create().SetName("referring") }
		refer := map[string]func(uuid.UUID) error{
			"create": func(id uuid.UUID) error { return create().SetProjectID(id).Exec(w.a.ctx) },
			"create by edge": func(id uuid.UUID) error {
				return create().SetProject(&ent.Project{ID: id}).Exec(w.a.ctx)
			},
			"create by field": func(id uuid.UUID) error {
				q := create()
				if err := q.Mutation().SetField(task.FieldProjectID, id); err != nil {
					return err
				}
				return q.Exec(w.a.ctx)
			},
			"bulk": func(id uuid.UUID) error {
				return c.CreateBulk(create(), create().SetProjectID(id)).Exec(w.a.ctx)
			},
			"update": func(id uuid.UUID) error {
				return c.Update().Where(task.ID(w.a.task.ID)).SetProjectID(id).Exec(w.a.ctx)
			},
			"update by edge": func(id uuid.UUID) error {
				return c.Update().SetProject(&ent.Project{ID: id}).Exec(w.a.ctx)
			},
		}
		before := w.dump(t, w.a.id)
		w.unchanged(t, func() {
			for name, f := range refer {
				absent := uuid.New()
				foreignErr, absentErr := f(w.b.project.ID), f(absent)
				if !database.IsForeignKeyViolation(foreignErr) || !database.IsForeignKeyViolation(absentErr) {
					t.Errorf("%s: foreign %v, absent %v", name, foreignErr, absentErr)
					continue
				}
				foreign := strings.ReplaceAll(foreignErr.Error(), w.b.project.ID.String(), "ID")
				if want := strings.ReplaceAll(absentErr.Error(), absent.String(), "ID"); foreign != want {
					t.Errorf("%s: foreign %q, absent %q", name, foreign, want)
				}
			}
		})
		if w.dump(t, w.a.id) != before {
			t.Error("a refused write left something behind")
		}
	})
}

package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/project"
	"records/ent/task"
)

// attempt acts on the task with an id, and tells in words what came of it.
type attempt func(client *ent.Client, p party, id uuid.UUID) string

func told(values ...any) string { return fmt.Sprintln(values...) }

// reaching is every way to reach one task by its id.
var reaching = map[string]attempt{
	"Get": func(c *ent.Client, p party, id uuid.UUID) string {
		got, err := c.Task.Get(p.ctx, id)
		return told(got != nil, err)
	},
	"Query.All": func(c *ent.Client, p party, id uuid.UUID) string {
		got, err := c.Task.Query().Where(task.ID(id)).WithProject().All(p.ctx)
		return told(len(got), err)
	},
	"Query.Only": func(c *ent.Client, p party, id uuid.UUID) string {
		got, err := c.Task.Query().Where(task.ID(id)).OnlyID(p.ctx)
		return told(got, err)
	},
	"Query.Exist": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Query().Where(task.ID(id)).Exist(p.ctx))
	},
	"Query.Select": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Query().Where(task.ID(id)).Select(task.FieldName).Strings(p.ctx))
	},
	"QueryProject of a path": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Query().Where(task.ID(id)).QueryProject().Count(p.ctx))
	},
	"QueryProject of an entity": func(c *ent.Client, p party, id uuid.UUID) string {
		entity := *p.task // of the client outside the transaction, which sees the same
		entity.ID = id
		return told(entity.QueryProject().Count(p.ctx))
	},
	"Update": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Update().Where(task.ID(id)).SetStatus("taken").Save(p.ctx))
	},
	"Update of no field": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Update().Where(task.ID(id)).Save(p.ctx))
	},
	"Update that returns": func(c *ent.Client, p party, id uuid.UUID) string {
		got, err := c.Task.Update().Where(task.ID(id)).SetStatus("taken").SaveReturning(p.ctx)
		return told(len(got), err)
	},
	"Update of an edge": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Update().Where(task.ID(id)).SetProjectID(p.project.ID).Save(p.ctx))
	},
	"Update that clears an edge": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Update().Where(task.ID(id)).ClearProject().Save(p.ctx))
	},
	"OldName": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.UpdateOneID(id).Mutation().OldName(p.ctx))
	},
	"IDs of an update": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Update().Where(task.ID(id)).Mutation().IDs(p.ctx))
	},
	"DeleteOneID": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.DeleteOneID(id).Exec(p.ctx))
	},
	"Delete": func(c *ent.Client, p party, id uuid.UUID) string {
		return told(c.Task.Delete().Where(task.ID(id)).Exec(p.ctx))
	},
}

// What a does to a task of b comes out as what it does to one that does not
// exist, and b keeps what it has. With an own task it comes out otherwise, so
// that the test does see something.
func TestForeignIsAbsent(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for name, try := range reaching {
			w.unchanged(t, func() {
				inTx(t, w, func(c *ent.Client) { foreignIsAbsent(t, name+" in a transaction", c, w, try) })
				foreignIsAbsent(t, name, w.client, w, try)
			})
			inTx(t, w, func(c *ent.Client) {
				absent := uuid.New()
				if out(try, c, w.a, w.a.task.ID) == out(try, c, w.a, absent) {
					t.Errorf("%s: nothing came of it for an own task either", name)
				}
			})
		}
	})
}

func foreignIsAbsent(t *testing.T, name string, c *ent.Client, w world, try attempt) {
	t.Helper()
	foreign, absent := out(try, c, w.a, w.b.task.ID), out(try, c, w.a, uuid.New())
	if foreign != absent {
		t.Errorf("%s: foreign %q, absent %q", name, foreign, absent)
	}
}

func out(try attempt, c *ent.Client, p party, id uuid.UUID) string {
	return strings.ReplaceAll(try(c, p, id), id.String(), "ID")
}

// inTx runs f with the client of a transaction, and undoes it.
func inTx(t *testing.T, w world, f func(*ent.Client)) {
	t.Helper()
	tx, err := w.client.Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f(tx.Client())
	if err := tx.Rollback(); err != nil {
		t.Error(err)
	}
}

// UpdateOne reads its record back by id alone, so that it is refused whatever
// the id: two workspaces may hold the same one.
func TestUpdateOneIsDenied(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for _, id := range []uuid.UUID{w.a.task.ID, w.b.task.ID, uuid.New()} {
			w.unchanged(t, func() {
				denied(t, "no field", w.client.Task.UpdateOneID(id).Exec(w.a.ctx))
				denied(t, "a field", w.client.Task.UpdateOneID(id).SetName("taken").Exec(w.a.ctx))
				denied(t, "an edge", w.client.Task.UpdateOneID(id).SetProjectID(w.a.project.ID).Exec(w.a.ctx))
				denied(t, "an edge cleared", w.client.Task.UpdateOneID(id).ClearProject().Exec(w.a.ctx))
				denied(t, "of an entity", w.client.Task.UpdateOne(&ent.Task{ID: id}).Exec(w.a.ctx))
			})
		}
	})
}

// Two workspaces that hold the same id never see each other's record by it.
func TestSameIDInBoth(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.client.Project.Create().SetID(w.b.project.ID).SetName("mine").SaveX(w.a.ctx)
		w.client.Task.Create().SetID(w.b.task.ID).SetName("mine").SetProjectID(w.b.project.ID).SaveX(w.a.ctx)
		own := task.ID(w.b.task.ID)
		w.unchanged(t, func() {
			got := w.client.Task.Query().Where(own).WithProject().OnlyX(w.a.ctx)
			if got.Name != "mine" || got.Edges.Project.Name != "mine" {
				t.Errorf("got %q of project %q", got.Name, got.Edges.Project.Name)
			}
			if name := got.QueryProject().OnlyX(w.a.ctx).Name; name != "mine" {
				t.Errorf("the entity's project is %q", name)
			}
			if w.client.Task.Query().Where(own, task.HasProjectWith(project.Name(w.b.project.Name))).ExistX(w.a.ctx) {
				t.Error("HasProjectWith looked at the other workspace's project")
			}
			if n := w.client.Task.Update().Where(own).SetName("mine still").SaveX(w.a.ctx); n != 1 {
				t.Errorf("%d were updated", n)
			}
			returned, err := w.client.Task.Update().Where(own).SetStatus("returned").SaveReturning(w.a.ctx)
			if err != nil || len(returned) != 1 || returned[0].Name != "mine still" || returned[0].WorkspaceID != w.a.id {
				t.Errorf("an update returned %v, %v", returned, err)
			}
			if n := w.client.Task.Delete().Where(own).ExecX(w.a.ctx); n != 1 {
				t.Errorf("%d were deleted", n)
			}
			w.client.Project.DeleteOneID(w.b.project.ID).ExecX(w.a.ctx)
		})
	})
}

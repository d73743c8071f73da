package rule_test

import (
	"context"
	"testing"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/predicate"
	"records/ent/project"
	"records/ent/task"
	"records/ent/workspace"
)

// loosening is what a raw predicate may do before the policy's own comes, to
// turn it into an alternative, into its opposite, or off.
//
//nolint:forbidigo // these are the attacks
var loosening = map[string]func(*sql.Selector){
	"nothing":      func(*sql.Selector) {},
	"or":           func(s *sql.Selector) { s.Where(sql.IsNull(s.C("id"))).Or() },
	"or true":      func(s *sql.Selector) { s.Or().Where(sql.NotNull(s.C("id"))) },
	"not":          func(s *sql.Selector) { s.Not() },
	"or not":       func(s *sql.Selector) { s.Where(sql.IsNull(s.C("id"))).Or().Not() },
	"sql.Or":       func(s *sql.Selector) { s.Where(sql.Or(sql.IsNull(s.C("id")), sql.NotNull(s.C("id")))) },
	"or in text":   func(s *sql.Selector) { s.Where(sql.ExprP("1 = 1 OR 1 = 0")) },
	"texts":        func(s *sql.Selector) { s.Where(sql.ExprP("1 = 1")).Where(sql.ExprP("1 = 1 OR 1 = 0")) },
	"reset":        func(s *sql.Selector) { s.SetP(nil) },
	"replaced":     func(s *sql.Selector) { s.SetP(sql.NotNull(s.C("id"))) },
	"of another":   func(s *sql.Selector) { s.FromSelect(sql.Select()) },
	"collected":    func(s *sql.Selector) { s.CollectPredicates() },
	"not of a not": func(s *sql.Selector) { s.Where(sql.Not(sql.Not(sql.ExprP("1 = 1 OR 1 = 0")))).Not() },
}

// reading is every way to read more than one task. Each answers the ids of the
// workspaces it saw, or how many tasks.
var reading = map[string]func(context.Context, *ent.TaskQuery) (workspaces []uuid.UUID, count int){
	"All": func(ctx context.Context, q *ent.TaskQuery) (seen []uuid.UUID, n int) {
		for _, r := range q.AllX(ctx) {
			seen = append(seen, r.WorkspaceID)
		}
		return seen, len(seen)
	},
	"All of a clone, twice": func(ctx context.Context, q *ent.TaskQuery) (seen []uuid.UUID, n int) {
		q.AllX(ctx)
		for _, r := range q.Clone().AllX(ctx) {
			seen = append(seen, r.WorkspaceID)
		}
		return seen, len(seen)
	},
	"Count": func(ctx context.Context, q *ent.TaskQuery) ([]uuid.UUID, int) { return nil, q.CountX(ctx) },
	"IDs":   func(ctx context.Context, q *ent.TaskQuery) ([]uuid.UUID, int) { return nil, len(q.IDsX(ctx)) },
	"Select": func(ctx context.Context, q *ent.TaskQuery) (seen []uuid.UUID, n int) {
		q.Select(task.FieldWorkspaceID).ScanX(ctx, &seen)
		return seen, len(seen)
	},
	"GroupBy": func(ctx context.Context, q *ent.TaskQuery) (seen []uuid.UUID, n int) {
		var groups []struct {
			Workspace uuid.UUID `json:"workspace_id"`
			Count     int
		}
		q.GroupBy(task.FieldWorkspaceID).Aggregate(ent.Count()).ScanX(ctx, &groups)
		for _, g := range groups {
			seen, n = append(seen, g.Workspace), n+g.Count
		}
		return seen, n
	},
	"Aggregate": func(ctx context.Context, q *ent.TaskQuery) ([]uuid.UUID, int) {
		return nil, q.Aggregate(ent.Count()).IntX(ctx)
	},
	"a path": func(ctx context.Context, q *ent.TaskQuery) (seen []uuid.UUID, n int) {
		for _, r := range q.QueryProject().AllX(ctx) {
			seen = append(seen, r.WorkspaceID)
		}
		return seen, len(seen)
	},
}

// Whatever a query's own predicates, orders and modifiers do, it reads nothing
// of another workspace.
func TestRawPredicateReadsOnlyItsWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		own := w.client.Task.Query().CountX(w.a.ctx)
		for how, loosen := range loosening {
			for where, query := range map[string]*ent.TaskQuery{
				"predicate": w.client.Task.Query().Where(loosen),
				"order":     w.client.Task.Query().Order(loosen),
				"modifier":  w.client.Task.Query().Modify(loosen).TaskQuery,
				"all three": w.client.Task.Query().Where(loosen).Order(loosen).Modify(loosen).TaskQuery,
			} {
				for op, read := range reading {
					seen, n := read(w.a.ctx, query.Clone())
					if n > own {
						t.Errorf("%s, %s as %s: %d, the workspace has %d", op, how, where, n, own)
					}
					for _, id := range seen {
						if id != w.a.id {
							t.Errorf("%s, %s as %s: read of %s", op, how, where, id)
						}
					}
				}
			}
		}
	})
}

func TestRawPredicateLoadsOnlyItsWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for how, loosen := range loosening {
			for _, q := range []func(*ent.ProjectQuery){
				func(q *ent.ProjectQuery) { q.Where(loosen) },
				func(q *ent.ProjectQuery) { q.Modify(loosen) },
			} {
				// Ent fails where a neighbour comes that was not asked for.
				tasks, _ := w.client.Task.Query().WithProject(q).All(w.a.ctx)
				for _, r := range tasks {
					if p := r.Edges.Project; p != nil && p.WorkspaceID != w.a.id {
						t.Errorf("%s: loaded a project of another workspace", how)
					}
				}
			}
		}
	})
}

func TestRawPredicateWritesOnlyItsWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		for how, loosen := range loosening {
			w.unchanged(t, func() {
				inTx(t, w, func(c *ent.Client) {
					returned, err := c.Task.Update().Where(loosen).SetStatus("taken").SaveReturning(w.a.ctx)
					if err != nil {
						t.Errorf("%s: %v", how, err)
					}
					for _, r := range returned {
						if r.WorkspaceID != w.a.id {
							t.Errorf("%s: returned one of %s", how, r.WorkspaceID)
						}
					}
					c.Task.Update().Where(loosen).SetStatus("taken").ExecX(w.a.ctx)
					c.Task.Delete().Where(loosen).ExecX(w.a.ctx)
					if n := count(t, c, w.b); n != count(t, w.client, w.b) {
						t.Errorf("%s: %d tasks of the other workspace are left or not taken", how, n)
					}
				})
			})
		}
	})
}

// count is how many tasks of a party were not taken.
func count(t *testing.T, c *ent.Client, p party) int {
	t.Helper()
	return c.Task.Query().Where(task.Not(task.Status("taken"))).CountX(p.ctx)
}

// HasXWith looks at the neighbour and at nothing else: what it answers about
// something of b is what it answers about something that does not exist.
func TestHasWithAsksNothingElse(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		w.client.Project.Create().SetName("secret").ExecX(w.b.ctx)
		or := func(s *sql.Selector) { s.Or() } //nolint:forbidigo // the attack
		text := func(name string) predicate.Project {
			return func(s *sql.Selector) { s.Where(sql.ExprP("1 = 0 OR name = '" + name + "'")) }
		}
		exists := func(p predicate.Task) bool { return w.client.Task.Query().Where(p).ExistX(w.a.ctx) }
		for how, with := range map[string]func(name, workspaceName string, id uuid.UUID) predicate.Task{
			"name":               func(n, _ string, _ uuid.UUID) predicate.Task { return task.HasProjectWith(project.Name(n)) },
			"name after Or":      func(n, _ string, _ uuid.UUID) predicate.Task { return task.HasProjectWith(or, project.Name(n)) },
			"name before Or":     func(n, _ string, _ uuid.UUID) predicate.Task { return task.HasProjectWith(project.Name(n), or) },
			"OR in text":         func(n, _ string, _ uuid.UUID) predicate.Task { return task.HasProjectWith(text(n)) },
			"id after Or":        func(_, _ string, id uuid.UUID) predicate.Task { return task.HasProjectWith(or, project.ID(id)) },
			"workspace":          func(_, n string, _ uuid.UUID) predicate.Task { return task.HasWorkspaceWith(workspace.Name(n)) },
			"workspace after Or": func(_, n string, _ uuid.UUID) predicate.Task { return task.HasWorkspaceWith(or, workspace.Name(n)) },
		} {
			foreign, absent := exists(with("secret", "b", w.b.project.ID)), exists(with("none", "none", uuid.New()))
			if foreign != absent {
				t.Errorf("%s: foreign %v, absent %v", how, foreign, absent)
			}
		}
		if !exists(task.HasProjectWith(project.Name(w.a.project.Name))) {
			t.Error("the own project is not found")
		}
	})
}

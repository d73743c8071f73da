// Package rule is the guard: every decision about who may read or write what
// is made here, and nowhere else. Rules answer Deny or Skip, never Allow,
// because Ent ends the evaluation of all policies at the first Allow.
package rule

import (
	"context"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"
	"github.com/google/uuid"

	"records/internal/viewer"
)

// WorkspaceField is the column that says whose a record is.
const WorkspaceField = "workspace_id"

// filter is what every generated query and mutation offers: a way to narrow
// the rows it touches.
type filter interface {
	WhereP(...func(*sql.Selector))
}

// Isolate keeps every query and every mutation inside the viewer's workspace.
// Without a viewer nothing is allowed.
func Isolate() privacy.QueryMutationRule { return isolate{} }

type isolate struct{}

// EvalQuery narrows the query to the viewer's workspace.
func (isolate) EvalQuery(ctx context.Context, q ent.Query) error {
	v, ok := viewer.FromContext(ctx)
	if !ok {
		return privacy.Denyf("rule: no viewer")
	}
	f, ok := q.(filter)
	if !ok {
		return privacy.Denyf("rule: %T cannot be narrowed to a workspace", q)
	}
	f.WhereP(within(v.Workspace))
	return privacy.Skip
}

// EvalMutation narrows an update or a delete to the viewer's workspace, and
// puts a new record into it.
func (isolate) EvalMutation(ctx context.Context, m ent.Mutation) error {
	v, ok := viewer.FromContext(ctx)
	if !ok {
		return privacy.Denyf("rule: no viewer")
	}
	if m.Op().Is(ent.OpCreate) {
		return place(m, v.Workspace)
	}
	f, ok := m.(filter)
	if !ok {
		return privacy.Denyf("rule: %T cannot be narrowed to a workspace", m)
	}
	f.WhereP(within(v.Workspace))
	return privacy.Skip
}

// place sets the workspace of a new record. Ent ignores predicates on create,
// so a record that names another workspace must be refused here.
func place(m ent.Mutation, workspace uuid.UUID) error {
	if given, ok := m.Field(WorkspaceField); ok && given != workspace {
		return privacy.Denyf("rule: a record of another workspace cannot be created")
	}
	if err := m.SetField(WorkspaceField, workspace); err != nil {
		return privacy.Denyf("rule: %v", err)
	}
	return privacy.Skip
}

// within is the predicate that holds a statement inside one workspace. It
// joins what stands there with AND itself: a raw predicate that called
// Selector.Or or Selector.Not before would otherwise turn this one into an
// alternative, or into its opposite.
func within(workspace uuid.UUID) func(*sql.Selector) {
	return func(s *sql.Selector) {
		own := sql.EQ(s.C(WorkspaceField), workspace)
		before := s.P()
		s.SetP(nil)
		s.Where(own) // takes up a pending Not
		if before != nil {
			own = sql.And(before, own)
		}
		s.SetP(own)
	}
}

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

// query is what every generated query offers: a way to narrow the rows it
// reads, and to look again once everything else has touched the statement.
type query interface {
	Narrow(narrow, again func(*sql.Selector))
	// NarrowTo is Narrow by what holds a column to a value, and does no more.
	NarrowTo(column string, value uuid.UUID, narrow, again func(*sql.Selector))
}

// mutation is what every generated mutation offers: a way to narrow the rows
// it touches.
type mutation interface {
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
	n, ok := q.(query)
	if !ok {
		return privacy.Denyf("rule: %T cannot be narrowed to a workspace", q)
	}
	narrow, again := within(v.Workspace)
	n.NarrowTo(WorkspaceField, v.Workspace, narrow, again)
	return privacy.Skip
}

// EvalMutation narrows an update or a delete to the viewer's workspace, and
// puts a new record into it. Ent ignores predicates on create.
func (isolate) EvalMutation(ctx context.Context, m ent.Mutation) error {
	v, ok := viewer.FromContext(ctx)
	if !ok {
		return privacy.Denyf("rule: no viewer")
	}
	n, ok := m.(mutation)
	if !ok {
		return privacy.Denyf("rule: %T cannot be narrowed to a workspace", m)
	}
	narrow, _ := within(v.Workspace)
	n.WhereP(narrow)
	if m.Op().Is(ent.OpUpdateOne) {
		return privacy.Denyf("rule: UpdateOne reads its record back by id alone: use Update().Where(ID(id)).SaveReturning")
	}
	return place(m, v.Workspace)
}

// place refuses what names another workspace, and puts a new record into the
// viewer's.
func place(m ent.Mutation, workspace uuid.UUID) error {
	if given, ok := m.Field(WorkspaceField); ok && given != workspace {
		return privacy.Denyf("rule: a record of another workspace cannot be written")
	}
	if !m.Op().Is(ent.OpCreate) {
		return privacy.Skip
	}
	if err := m.SetField(WorkspaceField, workspace); err != nil {
		return privacy.Denyf("rule: %v", err)
	}
	return privacy.Skip
}

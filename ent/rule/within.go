package rule

import (
	"context"
	"sync/atomic"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"
	"github.com/google/uuid"

	"records/internal/viewer"
)

// Narrow holds a statement by hand, such as a subquery, inside the viewer's
// workspace: Ent asks no policy for those. Without a viewer the statement fails.
func Narrow(ctx context.Context, s *sql.Selector) {
	v, ok := viewer.FromContext(ctx)
	if !ok {
		s.AddError(privacy.Denyf("rule: no viewer"))
		s.SetP(sql.False())
		return
	}
	narrow, _ := within(v.Workspace)
	narrow(s)
}

// within returns the predicate that holds a statement inside one workspace.
func within(workspace uuid.UUID) (narrow, again func(*sql.Selector)) {
	return holding(func(s *sql.Selector) *sql.Predicate { return sql.EQ(s.C(WorkspaceField), workspace) })
}

// holding returns the predicate that holds a statement to a condition. The second
// function puts it back, where what Ent runs after the predicates (Modify, Order)
// has changed them since.
func holding(condition func(*sql.Selector) *sql.Predicate) (narrow, again func(*sql.Selector)) {
	var held atomic.Pointer[sql.Predicate] // a query may be cloned, and run by many
	narrow = func(s *sql.Selector) {
		Hold(s, condition(s))
		held.Store(s.P())
	}
	again = func(s *sql.Selector) {
		if p := held.Load(); p != nil && p != s.P() {
			narrow(s)
		}
	}
	return narrow, again
}

// Hold narrows a statement by a condition that nothing before it can loosen.
// It joins the two with AND itself, both in parentheses: after a raw
// predicate with Selector.Or, Selector.Not or an OR in its text, Where would
// turn the condition into an alternative, or into its opposite.
func Hold(s *sql.Selector, condition *sql.Predicate) {
	before := s.P()
	if before == nil {
		s.SetP(condition)
		return
	}
	s.SetP(sql.P(func(b *sql.Builder) {
		b.Wrap(func(b *sql.Builder) { b.Join(before) })
		b.WriteString(" AND ")
		b.Wrap(func(b *sql.Builder) { b.Join(condition) }) // which may be an OR itself
	}))
}

package rule

import (
	"sync/atomic"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
)

// within returns the predicate that holds a statement inside one workspace.
// The second function puts it back, where what Ent runs after the predicates
// (Modify, Order) has changed them since.
func within(workspace uuid.UUID) (narrow, again func(*sql.Selector)) {
	var held atomic.Pointer[sql.Predicate] // a query may be cloned, and run by many
	narrow = func(s *sql.Selector) {
		Hold(s, sql.EQ(s.C(WorkspaceField), workspace))
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
// It joins what stands there with AND itself, in parentheses: after a raw
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
		b.Join(condition)
	}))
}

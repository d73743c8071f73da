package rule

import (
	"context"
	"errors"

	"entgo.io/ent"
	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/privacy"

	"records/internal/viewer"
)

// What people may do in the developer area is decided by the rules here. As those
// for records they answer Deny or Skip, never Allow. A key is no person: none of
// this opens to the API.

// UserField is the column that says whose a session or a membership is, or who did
// something.
const UserField = "user_id"

// In keeps whoever is signed in to the workspace that their page is about, whose id
// stands in a column, and puts there what they create. Outside of a workspace
// nothing is allowed.
func In(column string) privacy.QueryMutationRule {
	return in{column: column, people: func(p viewer.Person) condition {
		if !p.In() {
			return nil
		}
		return func(s *sql.Selector) *sql.Predicate { return sql.EQ(s.C(column), p.Workspace) }
	}}
}

// Own keeps whoever is signed in to their own rows: their id stands in a column.
func Own(column string) privacy.QueryMutationRule {
	return people(func(p viewer.Person) condition {
		return func(s *sql.Selector) *sql.Predicate { return sql.EQ(s.C(column), p.User) }
	})
}

// Memberships are read inside the workspace that the page is about, and outside
// of any, where a person chooses one, their own.
func Memberships() privacy.QueryRule {
	return people(func(p viewer.Person) condition {
		if p.In() {
			return func(s *sql.Selector) *sql.Predicate { return sql.EQ(s.C(WorkspaceField), p.Workspace) }
		}
		return func(s *sql.Selector) *sql.Predicate { return sql.EQ(s.C(UserField), p.User) }
	})
}

// Joined keeps whoever is signed in to the workspace that their page is about,
// and outside of any to those that they are a member of.
func Joined() privacy.QueryRule {
	return people(func(p viewer.Person) condition {
		if p.In() {
			return func(s *sql.Selector) *sql.Predicate { return sql.EQ(s.C("id"), p.Workspace) }
		}
		return func(s *sql.Selector) *sql.Predicate {
			return sql.In(s.C("id"), from(s, "members", WorkspaceField, UserField, p.User))
		}
	})
}

// Colleagues keeps whoever is signed in to themselves, the other members of the
// workspace that their page is about, and those who left it and are on its record
// of what was done: who did it stays told.
func Colleagues() privacy.QueryRule {
	return people(func(p viewer.Person) condition {
		return func(s *sql.Selector) *sql.Predicate {
			self := sql.EQ(s.C("id"), p.User)
			if !p.In() {
				return self
			}
			return sql.Or(self,
				sql.In(s.C("id"), from(s, "members", UserField, WorkspaceField, p.Workspace)),
				sql.In(s.C("id"), from(s, "audit_events", UserField, WorkspaceField, p.Workspace)))
		}
	})
}

// from selects a column of the rows of a table that have a value in another one.
func from(s *sql.Selector, table, column, where string, value any) *sql.Selector {
	t := sql.Dialect(s.Dialect()).Table(table)
	return sql.Dialect(s.Dialect()).Select(t.C(column)).From(t).Where(sql.EQ(t.C(where), value))
}

// RequireRole denies everything to whoever has less than a role in the workspace
// that their page is about.
func RequireRole(needed viewer.Role) privacy.QueryMutationRule {
	return privacy.ContextQueryMutationRule(func(ctx context.Context) error {
		if p, ok := viewer.PersonFromContext(ctx); !ok || !p.In() || !p.Role.May(needed) {
			return privacy.Denyf("rule: it takes the role %s in the workspace", needed)
		}
		return privacy.Skip
	})
}

// Signed puts who is signed in under what they create, and lets nobody sign for
// another.
func Signed(column string) privacy.MutationRule {
	return privacy.MutationRuleFunc(func(ctx context.Context, m ent.Mutation) error {
		p, ok := viewer.PersonFromContext(ctx)
		if given, set := m.Field(column); !ok || set && given != p.User {
			return privacy.Denyf("rule: nobody signs for another")
		}
		if m.Op().Is(ent.OpCreate) {
			if err := m.SetField(column, p.User); err != nil {
				return privacy.Denyf("rule: %v", err)
			}
		}
		return privacy.Skip
	})
}

// OnlyCreate denies to change or remove what is there.
func OnlyCreate() privacy.MutationRule {
	return privacy.MutationRuleFunc(func(_ context.Context, m ent.Mutation) error {
		if !m.Op().Is(ent.OpCreate) {
			return privacy.Denyf("rule: what is recorded stays")
		}
		return privacy.Skip
	})
}

// condition says which rows of a table may be reached.
type condition = func(*sql.Selector) *sql.Predicate

// people gives the condition on the rows that a person may reach; nil is none.
type people func(p viewer.Person) condition

// EvalQuery narrows the query to the rows that the person may reach.
func (of people) EvalQuery(ctx context.Context, q ent.Query) error {
	condition := of.asked(ctx)
	n, ok := q.(query)
	if condition == nil || !ok {
		return privacy.Denyf("rule: nobody is signed in who may read %T", q)
	}
	n.Narrow(holding(condition))
	return privacy.Skip
}

// EvalMutation narrows an update or a delete to them.
func (of people) EvalMutation(ctx context.Context, m ent.Mutation) error {
	condition := of.asked(ctx)
	n, ok := m.(mutation)
	if condition == nil || !ok || m.Op().Is(ent.OpUpdateOne) { // see isolate
		return privacy.Denyf("rule: nobody is signed in who may do that to %T", m)
	}
	narrow, _ := holding(condition)
	n.WhereP(narrow)
	return privacy.Skip
}

func (of people) asked(ctx context.Context) condition {
	p, ok := viewer.PersonFromContext(ctx)
	if !ok {
		return nil
	}
	return of(p)
}

// in are the people of a workspace.
type in struct {
	people
	column string
}

// EvalMutation also puts what is new into the workspace.
func (in in) EvalMutation(ctx context.Context, m ent.Mutation) error {
	if err := in.people.EvalMutation(ctx, m); err == nil || !errors.Is(err, privacy.Skip) || in.column != WorkspaceField {
		return err
	}
	p, _ := viewer.PersonFromContext(ctx)
	return place(m, p.Workspace)
}

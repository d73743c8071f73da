// Package schema declares what the service stores and serves. One file is one
// resource: from it come the typed client, the tables of both databases, the
// endpoints, the API description and the tests. See docs/schema.md.
package schema

import (
	"context"
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/rule"
)

// Record is what every resource shares: an id made by the server, the
// workspace it belongs to for ever, its timestamps, and the policy that keeps
// it inside that workspace.
type Record struct{ mixin.Schema }

// Fields of every record.
func (Record) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.UUID("workspace_id", uuid.UUID{}).Immutable(),
		field.Time("created_at").Default(now).Immutable(),
		// Set on every update, so that an UPDATE is never empty: Ent answers an
		// empty one without asking the policy's predicate.
		field.Time("updated_at").Default(now).UpdateDefault(later),
	}
}

// Edges of every record.
func (Record) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("workspace", Workspace.Type).Field("workspace_id").Unique().Required().Immutable(),
	}
}

// Policy of every record: inside the viewer's workspace, and written only with
// scope write.
func (Record) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.Isolate()},
		Mutation: privacy.MutationPolicy{rule.Isolate(), rule.RequireWrite()},
	}
}

// Hooks of every record.
func (Record) Hooks() []ent.Hook {
	return []ent.Hook{bornUpdated, nullStays}
}

// Annotations of every record.
func (Record) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Resource{Record: true}}
}

// bornUpdated gives a new record one moment of creation: without it the two
// defaults, taken one after the other, can differ by a millisecond.
func bornUpdated(next ent.Mutator) ent.Mutator {
	return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
		if created, ok := m.Field("created_at"); ok && m.Op().Is(ent.OpCreate) {
			if err := m.SetField("updated_at", created); err != nil {
				return nil, err
			}
		}
		return next.Mutate(ctx, m)
	})
}

// nullStays keeps null in a new record where a client has sent it: Ent puts the
// schema's default in its place.
func nullStays(next ent.Mutator) ent.Mutator {
	return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
		if m.Op().Is(ent.OpCreate) {
			for _, name := range m.ClearedFields() {
				if err := m.ClearField(name); err != nil {
					return nil, err
				}
			}
		}
		return next.Mutate(ctx, m)
	})
}

// newID makes a UUID of version 7 (RFC 9562): ids made later sort later, which
// is the order of lists.
func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// now is the current time as records keep it: UTC, in milliseconds.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// later is the time of an update: rounded up where a creation is rounded down,
// so that an update is seen to be later than the creation, however quick.
func later() time.Time { return now().Add(time.Millisecond) }

// Columns of the value types, for SchemaType. SQLite would round a decimal in
// a numeric column, so that it stands there as text.
var (
	decimalColumn = map[string]string{dialect.Postgres: "numeric(19,4)", dialect.SQLite: "text"}
	dateColumn    = map[string]string{dialect.Postgres: "date", dialect.SQLite: "text"}
)

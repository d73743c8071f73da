package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/rule"
)

// RecordCount is a part of how many records of a resource a workspace has: the
// sum over the slots is the count. Triggers that migrate/counts writes keep it
// in the transaction of each write; nothing else may. It has no endpoint.
//
// Its primary key is (workspace_id, resource, slot), which Ent cannot say:
// migrate/diff makes it so.
type RecordCount struct{ ent.Schema }

// Fields of the RecordCount.
func (RecordCount) Fields() []ent.Field {
	return []ent.Field{
		field.Int16("id").StorageKey("slot").Comment("Writers of one workspace each take another slot, so that none waits for another"),
		field.UUID("workspace_id", uuid.UUID{}).Immutable(),
		field.String("resource").Immutable().Comment("The table of the records"),
		field.Int64("n").Immutable().Comment("What the writers of this slot have added: less than 0 where they removed more"),
	}
}

// Edges of the RecordCount.
func (RecordCount) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("workspace", Workspace.Type).Field("workspace_id").Unique().Required().Immutable().
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Policy of the RecordCount: read inside the viewer's workspace, written by
// nobody.
func (RecordCount) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.Isolate()},
		Mutation: privacy.MutationPolicy{privacy.AlwaysDenyRule()},
	}
}

// Annotations of the RecordCount.
func (RecordCount) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

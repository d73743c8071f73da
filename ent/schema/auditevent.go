package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/rule"
	"records/internal/viewer"
)

// AuditEvent records what somebody did to the keys, members or invitations of a
// workspace. It is written in the transaction of the deed, and never changes. It
// has no endpoint.
type AuditEvent struct{ ent.Schema }

// Fields of the AuditEvent.
func (AuditEvent) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.UUID("workspace_id", uuid.UUID{}).Immutable(),
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("Who did it; null is the operator, at the command line."),
		field.UUID("key_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("The key that it was done to, if it was one."),
		field.String("action").MaxLen(32).Immutable().Comment("Such as key.created."),
		field.String("detail").MaxRuneLen(1000).Immutable().
			Comment("What changed, in words; never a token."),
		field.Time("created_at").Default(now).Immutable(),
	}
}

// Edges of the AuditEvent.
func (AuditEvent) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("workspace", Workspace.Type).Field("workspace_id").Unique().Required().Immutable(),
		edge.To("user", User.Type).Field("user_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
		edge.To("key", APIKey.Type).Field("key_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

// Indexes of the AuditEvent.
func (AuditEvent) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "id"), index.Fields("key_id")}
}

// Policy of the AuditEvent: read by the workspace's members, written with what it
// records by those who may do that, under their own name.
func (AuditEvent) Policy() ent.Policy {
	return privacy.Policy{
		Query: privacy.QueryPolicy{rule.In(rule.WorkspaceField)},
		Mutation: privacy.MutationPolicy{
			rule.OnlyCreate(), rule.In(rule.WorkspaceField), rule.RequireRole(viewer.RoleDeveloper), rule.Signed(rule.UserField),
		},
	}
}

// Annotations of the AuditEvent.
func (AuditEvent) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

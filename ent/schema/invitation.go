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

// Invitation is a link, good once, by which someone becomes a member of a workspace.
// Its token is never stored, only the SHA-256 of it. It has no endpoint.
type Invitation struct{ ent.Schema }

// Fields of the Invitation.
func (Invitation) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.UUID("workspace_id", uuid.UUID{}).Immutable(),
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("Who invites; null is the operator."),
		field.String("hash").MaxLen(64).Immutable().Unique().Sensitive(),
		field.String("email").MaxRuneLen(254).Optional().Nillable().Immutable().
			Comment("Whom the link is for; anyone who has it where that is null."),
		field.String("role").MaxLen(16).Immutable().Validate(isRole),
		field.Time("created_at").Default(now).Immutable(),
		field.Time("expires_at").Immutable(),
		field.Time("accepted_at").Optional().Nillable(),
		field.Time("revoked_at").Optional().Nillable(),
	}
}

// Edges of the Invitation.
func (Invitation) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("workspace", Workspace.Type).Field("workspace_id").Unique().Required().Immutable(),
		edge.To("user", User.Type).Field("user_id").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

// Indexes of the Invitation.
func (Invitation) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id")}
}

// Policy of the Invitation: for the owners of its workspace.
func (Invitation) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.In(rule.WorkspaceField), rule.RequireRole(viewer.RoleOwner)},
		Mutation: privacy.MutationPolicy{rule.In(rule.WorkspaceField), rule.RequireRole(viewer.RoleOwner), rule.Signed(rule.UserField)},
	}
}

// Annotations of the Invitation.
func (Invitation) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

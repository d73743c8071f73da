package schema

import (
	"entgo.io/ent"
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

// Member is a user in a workspace, with what they may do there. It has no endpoint.
type Member struct{ ent.Schema }

// Fields of the Member.
func (Member) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.UUID("workspace_id", uuid.UUID{}).Immutable(),
		field.UUID("user_id", uuid.UUID{}).Immutable(),
		field.String("role").MaxLen(16).Validate(isRole),
		field.Time("created_at").Default(now).Immutable(),
	}
}

// Edges of the Member.
func (Member) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("workspace", Workspace.Type).Field("workspace_id").Unique().Required().Immutable(),
		edge.To("user", User.Type).Field("user_id").Unique().Required().Immutable(),
	}
}

// Indexes of the Member.
func (Member) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "user_id").Unique(), index.Fields("user_id")}
}

// Policy of the Member: seen by the workspace's members, changed by its owners.
func (Member) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.Memberships()},
		Mutation: privacy.MutationPolicy{rule.In(rule.WorkspaceField), rule.RequireRole(viewer.RoleOwner), privacy.DenyMutationOperationRule(ent.OpCreate)},
	}
}

// Annotations of the Member.
func (Member) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

// isRole refuses what is no role.
func isRole(s string) error {
	_, err := viewer.ParseRole(s)
	return err
}

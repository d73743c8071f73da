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
	"records/internal/scalar"
	"records/internal/viewer"
)

// APIKey is a key of a workspace. Its token is never stored, only the SHA-256
// of it. It has no endpoint.
type APIKey struct{ ent.Schema }

// Fields of the APIKey.
func (APIKey) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.UUID("workspace_id", uuid.UUID{}).Immutable(),
		field.UUID("created_by", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("The user who made it; null is the operator, at the command line."),
		field.String("name").MaxRuneLen(255).Validate(scalar.NotBlank),
		field.String("hash").MaxLen(64).Immutable().Unique().Sensitive(),
		field.String("prefix").MaxLen(16).Immutable().
			Comment("The first characters of the token, to tell keys apart in a list."),
		field.String("scope").MaxLen(16).Validate(isScope),
		field.UUID("form_id", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("The form that it was made with: one that is sent twice makes one key."),
		field.UUID("replaces", uuid.UUID{}).Optional().Nillable().Immutable().
			Comment("The key that was rotated, whose place it takes."),
		field.Time("created_at").Default(now).Immutable(),
		field.Time("last_used_at").Optional().Nillable(),
		field.Time("expires_at").Optional().Nillable(),
		field.Time("revoked_at").Optional().Nillable(),
	}
}

// Edges of the APIKey.
func (APIKey) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("workspace", Workspace.Type).Field("workspace_id").Unique().Required().Immutable(),
		edge.To("creator", User.Type).Field("created_by").Unique().Immutable().Annotations(entsql.OnDelete(entsql.NoAction)),
	}
}

// Indexes of the APIKey.
func (APIKey) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("workspace_id"),
		index.Fields("workspace_id", "form_id").Unique(), // never across workspaces: a conflict would tell
		index.Fields("workspace_id", "replaces").Unique(),
	}
}

// Policy of the APIKey: seen by the members of its workspace, made and changed by
// its developers and owners, removed by nobody.
func (APIKey) Policy() ent.Policy {
	return privacy.Policy{
		Query: privacy.QueryPolicy{rule.In(rule.WorkspaceField)},
		Mutation: privacy.MutationPolicy{
			rule.In(rule.WorkspaceField), rule.RequireRole(viewer.RoleDeveloper), rule.Signed("created_by"),
			privacy.DenyMutationOperationRule(ent.OpDelete | ent.OpDeleteOne),
		},
	}
}

// Annotations of the APIKey.
func (APIKey) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}, entsql.Table("api_keys")}
}

// isScope refuses what is no scope.
func isScope(s string) error {
	_, err := viewer.ParseScope(s)
	return err
}

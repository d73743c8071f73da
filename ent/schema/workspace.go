package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/rule"
	"records/internal/scalar"
)

// Workspace is what a key opens: the owner of records. It has no endpoint.
type Workspace struct{ ent.Schema }

// Fields of the Workspace.
func (Workspace) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.String("name").MaxRuneLen(255).Validate(scalar.NotBlank).Unique(),
		field.Time("created_at").Default(now).Immutable(),
	}
}

// Policy of the Workspace: seen by its members, made by an operator.
func (Workspace) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.Joined()},
		Mutation: privacy.MutationPolicy{rule.OperatorOnly()},
	}
}

// Annotations of the Workspace.
func (Workspace) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

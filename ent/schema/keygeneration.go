package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/rule"
)

// KeyGeneration tells servers whether what they know of keys is still so. Its
// table has one row, whose generation is another one after each change of a key
// that matters. Triggers see to that (migrate/diff/keys.go), so that a change by hand
// counts too; the program only reads it. It has no endpoint.
type KeyGeneration struct{ ent.Schema }

// Fields of the KeyGeneration.
func (KeyGeneration) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.String("generation").MaxLen(36).
			Comment("Random, so that none comes back, not even with a backup that is restored."),
	}
}

// Policy of the KeyGeneration.
func (KeyGeneration) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.OperatorOnly()},
		Mutation: privacy.MutationPolicy{rule.OperatorOnly()},
	}
}

// Annotations of the KeyGeneration.
func (KeyGeneration) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

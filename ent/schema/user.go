package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/rule"
	"records/internal/scalar"
)

// User is a person who signs in to the developer area. What they may do there, their
// memberships say. It has no endpoint.
type User struct{ ent.Schema }

// Fields of the User.
func (User) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.String("email").MaxRuneLen(254).Unique().
			Comment("In lower case: two people do not share an address that differs in that alone."),
		field.String("name").MaxRuneLen(255).Validate(scalar.NotBlank),
		field.String("password_hash").MaxLen(255).Optional().Nillable().Sensitive().
			Comment("Argon2id in the PHC string format; null for who signs in with OpenID Connect alone."),
		field.String("issuer").MaxLen(255).Optional().Nillable().Comment("Of OpenID Connect; with subject it names a person for ever."),
		field.String("subject").MaxLen(255).Optional().Nillable(),
		field.Time("created_at").Default(now).Immutable(),
		field.Time("updated_at").Default(now).UpdateDefault(later),
		field.Time("signed_in_at").Optional().Nillable(),
	}
}

// Indexes of the User.
func (User) Indexes() []ent.Index {
	return []ent.Index{index.Fields("issuer", "subject").Unique()}
}

// Policy of the User: seen by their colleagues, changed by themselves, made by
// internal/account alone.
func (User) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.Colleagues()},
		Mutation: privacy.MutationPolicy{rule.Own("id"), privacy.DenyMutationOperationRule(ent.OpCreate | ent.OpDelete | ent.OpDeleteOne)},
	}
}

// Annotations of the User.
func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

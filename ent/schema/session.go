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
)

// Session is a browser in which a user is signed in, or is about to be. Its token
// is never stored, only the SHA-256 of it. It has no endpoint.
type Session struct{ ent.Schema }

// Fields of the Session.
func (Session) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.String("hash").MaxLen(64).Unique().Sensitive(),
		field.UUID("user_id", uuid.UUID{}).Optional().Nillable(),
		field.Bytes("data").MaxLen(16 << 10).Sensitive(),
		field.String("address").MaxLen(64).Optional().Comment("From where it was last used."),
		field.String("agent").MaxRuneLen(255).Optional().Comment("The browser, by its own words."),
		field.Time("created_at").Default(now).Immutable(),
		field.Time("last_used_at").Default(now),
		field.Time("expires_at"),
	}
}

// Edges of the Session.
func (Session) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the Session.
func (Session) Indexes() []ent.Index {
	return []ent.Index{index.Fields("user_id"), index.Fields("expires_at")}
}

// Policy of the Session: a user lists and ends their own; internal/account alone
// makes and changes them.
func (Session) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.Own(rule.UserField)},
		Mutation: privacy.MutationPolicy{rule.Own(rule.UserField), privacy.DenyMutationOperationRule(ent.OpCreate | ent.OpUpdate | ent.OpUpdateOne)},
	}
}

// Annotations of the Session.
func (Session) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

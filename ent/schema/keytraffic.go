package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/rule"
)

// KeyTraffic is how many requests of a key one process answered with a status, in
// one minute and again in one hour. What all processes answered is the sum, so that
// none ever waits for another's row. internal/traffic writes it, and removes it when
// it is old. It has no endpoint.
//
// It refers to nothing: a key that is removed by hand must not keep the traffic of
// others from being written, and what is left of it is gone in a day.
type KeyTraffic struct{ ent.Schema }

// Fields of the KeyTraffic.
func (KeyTraffic) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Default(newID).Immutable(),
		field.UUID("workspace_id", uuid.UUID{}).Immutable(),
		field.UUID("key_id", uuid.UUID{}).Immutable(),
		field.Time("start").Immutable(),
		field.Int16("seconds").Immutable().Comment("How long it is counted from start: 60 or 3600."),
		field.Int16("status").Immutable(),
		field.Int64("requests"),
	}
}

// Indexes of the KeyTraffic: what a page reads, and what is old.
func (KeyTraffic) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "seconds", "start"), index.Fields("seconds", "start")}
}

// Policy of the KeyTraffic: read by the members of the workspace, written by none.
func (KeyTraffic) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.In(rule.WorkspaceField)},
		Mutation: privacy.MutationPolicy{privacy.AlwaysDenyRule()},
	}
}

// Annotations of the KeyTraffic.
func (KeyTraffic) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}, entsql.Table("key_traffic")}
}

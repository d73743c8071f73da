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
)

// RefusedRequest is a request of a key that was answered with an error. It holds
// nothing of what the client sent but the method and the request id: no path, query,
// body or token. internal/traffic keeps the last few of each key, for a day. It has
// no endpoint, and refers to nothing, as KeyTraffic.
type RefusedRequest struct{ ent.Schema }

// Fields of the RefusedRequest.
func (RefusedRequest) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("id", uuid.UUID{}).Immutable().Comment("Version 7, of the moment of the answer: the order of the list, and its age."),
		field.UUID("workspace_id", uuid.UUID{}).Immutable(),
		field.UUID("key_id", uuid.UUID{}).Immutable(),
		field.Time("at").Immutable(),
		field.Int16("status").Immutable(),
		field.String("code").MaxLen(64).Immutable().Comment("Of the error, such as rate_limited."),
		field.String("method").MaxLen(16).Immutable(),
		field.String("route").MaxLen(255).Immutable().Comment("The template of the path, such as /api/v1/tasks/:id; empty where there is none."),
		field.String("request_id").MaxLen(128).Immutable(),
	}
}

// Indexes of the RefusedRequest.
func (RefusedRequest) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "id"), index.Fields("key_id", "id")}
}

// Policy of the RefusedRequest: read by the members of the workspace, written by
// none.
func (RefusedRequest) Policy() ent.Policy {
	return privacy.Policy{
		Query:    privacy.QueryPolicy{rule.In(rule.WorkspaceField)},
		Mutation: privacy.MutationPolicy{privacy.AlwaysDenyRule()},
	}
}

// Annotations of the RefusedRequest.
func (RefusedRequest) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

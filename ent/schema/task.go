package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/internal/scalar"
)

// Task is a piece of work that someone has to do.
type Task struct{ ent.Schema }

// Mixin of the Task.
func (Task) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of the Task.
func (Task) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").MaxRuneLen(255).Validate(scalar.NotBlank).
			Annotations(annotation.Examples("Send the revised offer", "Prepare the quarterly review", "Call back about the delivery date", "Check the signed contract")),
		field.String("status").MaxRuneLen(64).Optional().Nillable().
			Annotations(annotation.Examples("open", "in progress", "done")),
		field.String("priority").MaxRuneLen(64).Optional().Nillable().
			Annotations(annotation.Examples("high", "normal", "low")),
		field.UUID("project_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("assignee_id", uuid.UUID{}).Optional().Nillable().Comment("A person in your own product: any UUID").
			Annotations(annotation.Examples("0190163d-8694-739b-aea5-966c26f8ad90", "0190163d-8694-739b-aea5-966c26f8ad91")),
		field.Other("due_date", scalar.Date{}).SchemaType(dateColumn).Optional().Nillable().
			Annotations(annotation.Examples("2026-12-01", "2026-12-15", "2027-01-20")),
		field.String("description").MaxRuneLen(65536).Optional().Nillable().
			Annotations(annotation.Examples("They asked for a discount on the yearly plan.", "Numbers of the third quarter, with a page on open risks.", "The warehouse promised an answer by Friday.")),
	}
}

// Edges of the Task: what its references refer to.
func (Task) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("project", Project.Type).Field("project_id").Unique(),
	}
}

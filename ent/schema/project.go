package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/internal/scalar"
)

// Project is a body of work with a beginning and an end, for a company.
type Project struct{ ent.Schema }

// Mixin of the Project.
func (Project) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of the Project.
func (Project) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").MaxRuneLen(255).Validate(scalar.NotBlank).
			Annotations(annotation.Examples("Website relaunch", "Warehouse move", "Onboarding 2027", "Price list review")),
		field.String("status").MaxRuneLen(64).Optional().Nillable().
			Annotations(annotation.Examples("planned", "active", "on hold")),
		field.String("description").MaxRuneLen(65536).Optional().Nillable().
			Annotations(annotation.Examples("New structure, new pictures, the same address.", "Everything out of the old hall by the end of March.", "Material and dates for new colleagues.")),
		field.Other("start_date", scalar.Date{}).SchemaType(dateColumn).Optional().Nillable().
			Annotations(annotation.Examples("2026-11-02", "2027-01-11", "2026-09-01")),
		field.Other("due_date", scalar.Date{}).SchemaType(dateColumn).Optional().Nillable().
			Annotations(annotation.Examples("2027-02-26", "2027-03-31", "2026-12-18")),
		field.UUID("company_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("owner_id", uuid.UUID{}).Optional().Nillable().Comment("A person in your own product: any UUID").
			Annotations(annotation.Examples("0190163d-8694-739b-aea5-966c26f8ad90", "0190163d-8694-739b-aea5-966c26f8ad91")),
	}
}

// Edges of the Project: what its references refer to.
func (Project) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("company", Company.Type).Field("company_id").Unique(),
	}
}

package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/internal/scalar"
)

// Deal is a sale that may come about.
type Deal struct{ ent.Schema }

// Mixin of the Deal.
func (Deal) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of the Deal.
func (Deal) Fields() []ent.Field {
	return []ent.Field{
		field.String("title").MaxRuneLen(255).Validate(scalar.NotBlank).
			Annotations(annotation.Examples("Yearly licence, 40 seats", "Pilot in two branches", "Service contract renewal", "Spare parts framework")),
		field.String("stage").MaxRuneLen(64).Optional().Nillable().
			Annotations(annotation.Examples("qualified", "proposal", "negotiation", "won")),
		field.Other("value", scalar.Decimal{}).SchemaType(decimalColumn).Optional().Nillable().
			Annotations(annotation.Examples("12500", "980.5", "48200.75")),
		field.UUID("company_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("contact_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("owner_id", uuid.UUID{}).Optional().Nillable().Comment("A person in your own product: any UUID").
			Annotations(annotation.Examples("0190163d-8694-739b-aea5-966c26f8ad90", "0190163d-8694-739b-aea5-966c26f8ad91")),
	}
}

// Edges of the Deal: what its references refer to.
func (Deal) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("company", Company.Type).Field("company_id").Unique(),
		edge.To("contact", Contact.Type).Field("contact_id").Unique(),
	}
}

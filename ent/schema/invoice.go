package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/internal/scalar"
)

// Invoice is a bill. Another system writes it; this API only shows it.
type Invoice struct{ ent.Schema }

// Mixin of the Invoice.
func (Invoice) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of the Invoice.
func (Invoice) Fields() []ent.Field {
	return []ent.Field{
		field.String("number").MaxRuneLen(255).Optional().Nillable().
			Annotations(annotation.Examples("2026-0117", "2026-0118", "2026-0119")),
		field.String("status").MaxRuneLen(64).Optional().Nillable().
			Annotations(annotation.Examples("sent", "paid", "overdue")),
		field.String("currency").MaxRuneLen(3).Validate(scalar.CheckCurrency).Optional().Nillable().Comment("ISO 4217 in form: three capital letters").
			Annotations(annotation.Examples("EUR", "USD", "JPY")),
		field.Other("amount", scalar.Decimal{}).SchemaType(decimalColumn).Optional().Nillable().
			Annotations(annotation.Examples("1190", "249.99", "18400.5")),
		field.Other("issue_date", scalar.Date{}).SchemaType(dateColumn).Optional().Nillable().
			Annotations(annotation.Examples("2026-10-01", "2026-10-15", "2026-11-02")),
		field.Other("due_date", scalar.Date{}).SchemaType(dateColumn).Optional().Nillable().
			Annotations(annotation.Examples("2026-10-31", "2026-11-14", "2026-12-02")),
		field.Time("paid_at").Optional().Nillable().
			Annotations(annotation.Examples("2026-10-28T09:30:00Z", "2026-11-12T14:05:00+01:00")),
		field.UUID("company_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("contact_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("deal_id", uuid.UUID{}).Optional().Nillable(),
		field.String("description").MaxRuneLen(65536).Optional().Nillable().
			Annotations(annotation.Examples("Licence fees for the fourth quarter.", "Spare parts as delivered on the first.", "Travel costs are billed apart.")),
	}
}

// Edges of the Invoice: what its references refer to.
func (Invoice) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("company", Company.Type).Field("company_id").Unique(),
		edge.To("contact", Contact.Type).Field("contact_id").Unique(),
		edge.To("deal", Deal.Type).Field("deal_id").Unique(),
	}
}

// Annotations of the Invoice.
func (Invoice) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.ReadOnly()}
}

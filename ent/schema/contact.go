package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/internal/scalar"
)

// Contact is a person at a company.
type Contact struct{ ent.Schema }

// Mixin of the Contact.
func (Contact) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of the Contact.
func (Contact) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").MaxRuneLen(255).Validate(scalar.NotBlank).
			Annotations(annotation.Examples("Amara Okafor", "Lena Fischer", "Mateo Álvarez", "Yuki Tanaka")),
		field.String("email").MaxRuneLen(254).Validate(scalar.CheckEmail).Optional().Nillable().Comment("A plain local@domain, international ones too").
			Annotations(annotation.Format("email"), annotation.Examples("amara.okafor@example.com", "lena.fischer@example.org", "mateo.alvarez@example.net", "yuki.tanaka@example.com")),
		field.String("phone").MaxRuneLen(64).Optional().Nillable().
			Annotations(annotation.Examples("+44 20 7946 0018", "+49 30 901820", "+34 910 123 456", "+81 3 1234 5678")),
		field.UUID("company_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("owner_id", uuid.UUID{}).Optional().Nillable().Comment("A person in your own product: any UUID").
			Annotations(annotation.Examples("0190163d-8694-739b-aea5-966c26f8ad90", "0190163d-8694-739b-aea5-966c26f8ad91")),
	}
}

// Edges of the Contact: what its references refer to.
func (Contact) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("company", Company.Type).Field("company_id").Unique(),
	}
}

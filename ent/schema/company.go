package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/internal/scalar"
)

// Company is a business that the workspace deals with.
type Company struct{ ent.Schema }

// Mixin of the Company.
func (Company) Mixin() []ent.Mixin { return []ent.Mixin{Record{}} }

// Fields of the Company.
func (Company) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").MaxRuneLen(255).Validate(scalar.NotBlank).
			Annotations(annotation.Examples("Northwind Logistics", "Fischer Werkzeuge", "Casa del Mar", "Tanaka Optics")),
		field.String("domain").MaxRuneLen(253).Optional().Nillable().Comment("Free text").
			Annotations(annotation.Examples("northwind.example", "fischer-werkzeuge.example", "casadelmar.example", "tanaka-optics.example")),
		field.String("industry").MaxRuneLen(255).Optional().Nillable().
			Annotations(annotation.Examples("Logistics", "Manufacturing", "Hospitality", "Optics")),
		field.String("email").MaxRuneLen(254).Validate(scalar.CheckEmail).Optional().Nillable().Comment("A plain local@domain, international ones too").
			Annotations(annotation.Format("email"), annotation.Examples("office@northwind.example", "info@fischer-werkzeuge.example", "hola@casadelmar.example", "contact@tanaka-optics.example")),
		field.String("phone").MaxRuneLen(64).Optional().Nillable().
			Annotations(annotation.Examples("+44 20 7946 0000", "+49 30 901800", "+34 910 123 400", "+81 3 1234 5600")),
		field.String("website").MaxRuneLen(255).Optional().Nillable().Comment("Free text").
			Annotations(annotation.Examples("https://northwind.example", "https://fischer-werkzeuge.example", "https://casadelmar.example", "https://tanaka-optics.example")),
		field.String("address").MaxRuneLen(255).Optional().Nillable().
			Annotations(annotation.Examples("12 Dock Road, London", "Werkstraße 4, Berlin", "Calle Mayor 8, Madrid", "2-1 Marunouchi, Tokyo")),
		field.UUID("owner_id", uuid.UUID{}).Optional().Nillable().Comment("A person in your own product: any UUID").
			Annotations(annotation.Examples("0190163d-8694-739b-aea5-966c26f8ad90", "0190163d-8694-739b-aea5-966c26f8ad91")),
	}
}

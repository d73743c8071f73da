// Package kinds is a resource with a field of every kind that has a wire type.
package kinds

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/schema"
	"records/internal/scalar"
)

// Workspace is what the mixin's edge leads to.
type Workspace struct{ schema.Workspace }

// Every has them all.
type Every struct{ ent.Schema }

// Mixin of Every.
func (Every) Mixin() []ent.Mixin { return []ent.Mixin{schema.Record{}} }

// Fields of Every.
func (Every) Fields() []ent.Field {
	return []ent.Field{
		field.String("text").MaxRuneLen(4),
		field.Bool("flag").Default(false),
		field.Int16("number").Optional().Nillable().Min(0),
		field.Float32("ratio").Optional().Nillable(),
		field.Enum("level").Values("low", "very-high").Default("low"),
		field.UUID("person_id", uuid.UUID{}).Optional().Nillable(),
		field.Time("moment").Optional().Nillable(),
		field.Other("day", scalar.Date{}).SchemaType(map[string]string{"postgres": "date", "sqlite3": "text"}),
		field.Other("price", scalar.Decimal{}).SchemaType(map[string]string{"postgres": "numeric(19,4)", "sqlite3": "text"}),
		field.String("secret").Sensitive().Optional().Nillable(),
	}
}

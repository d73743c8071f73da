// Package kinds is a resource with a field of every kind that has a wire type.
package kinds

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
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
		field.Int64("length").GoType(time.Duration(0)).Min(0).Default(0),
		field.JSON("object", map[string]any{}),
		field.Strings("names").Optional().Validate(func([]string) error { return nil }),
		field.JSON("counts", []int{}).Default(func() []int { return nil }),
		field.Floats("ratios").Immutable().Annotations(annotation.Examples("[0.5]")),
		field.String("pin").Sensitive().Annotations(annotation.WriteOnly()),
		field.String("secret").Sensitive().Optional().Nillable(),
		field.Bytes("blob").Annotations(annotation.Hidden()).Optional(),
		field.String("origin").Annotations(annotation.Hidden()).Default("api"),
	}
}

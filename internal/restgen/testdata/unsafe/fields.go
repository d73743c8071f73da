package unsafe

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

type QuotedEnum struct{ base }

func (QuotedEnum) Fields() []ent.Field {
	return []ent.Field{field.Enum("size").NamedValues("Small", "small", "Foot", `12"`)}
}

type ControlEnum struct{ base }

func (ControlEnum) Fields() []ent.Field {
	return []ent.Field{field.Enum("size").Values("small\tone", "large")}
}

type NillableAlone struct{ base }

func (NillableAlone) Fields() []ent.Field {
	return []ent.Field{field.String("note").Nillable()}
}

type Main struct{ base }

// Time may generate without an enum: Ent then gives its package another name.
type Time struct{ base }

func (Time) Fields() []ent.Field { return []ent.Field{field.Enum("level").Values("low", "high")} }

type Page struct{ base }

package unsafe

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"records/ent/annotation"
)

type QuotedEnum struct{ base }

func (QuotedEnum) Fields() []ent.Field {
	return []ent.Field{field.Enum("size").NamedValues("Small", "small", "Foot", `12"`)}
}

type ControlEnum struct{ base }

func (ControlEnum) Fields() []ent.Field {
	return []ent.Field{field.Enum("size").Values("small\tone", "large")}
}

type secret struct{ Code int }

type Unnamed struct{ base }

func (Unnamed) Fields() []ent.Field {
	return []ent.Field{
		field.JSON("blob", secret{}).Optional().Annotations(annotation.Hidden()),
		field.JSON("blobs", map[string]*[]secret{}).Optional().Annotations(annotation.Hidden()),
		field.JSON("plain", struct {
			Code int `json:"x.code"`
		}{}).Optional().Annotations(annotation.Hidden()),
	}
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

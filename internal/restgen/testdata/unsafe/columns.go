package unsafe

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"

	"records/ent/annotation"
	"records/internal/scalar"
)

func postgres(column string) map[string]string { return map[string]string{"postgres": column} }

type OwnColumn struct{ base }

func (OwnColumn) Fields() []ent.Field {
	return []ent.Field{
		field.Float("share").SchemaType(postgres("numeric(5,2)")),
		field.String("pin").MaxRuneLen(50).SchemaType(postgres("varchar(5)")).Annotations(annotation.WriteOnly()),
		field.Other("price", scalar.Decimal{}).SchemaType(map[string]string{"postgres": "numeric(5,2)", "sqlite3": "text"}),
		field.Other("day", scalar.Date{}).SchemaType(postgres("date")),
	}
}

type OwnDefault struct{ base }

func (OwnDefault) Fields() []ent.Field {
	return []ent.Field{
		field.Int("seats").Default(3).Annotations(entsql.Default("4")),
		field.String("code").MaxRuneLen(50).Annotations(entsql.Annotation{Size: 5}),
		field.Time("made").Optional().Nillable().Annotations(entsql.DefaultExpr("CURRENT_TIMESTAMP")),
	}
}

type OwnCheck struct{ base }

func (OwnCheck) Fields() []ent.Field {
	return []ent.Field{
		field.Int("seats").Annotations(entsql.Check("seats > 0")),
		field.String("origin").Default("api").Annotations(annotation.Hidden(), entsql.Check("origin <> ''")),
	}
}

// HiddenColumn may generate: the API has no part in what the column holds.
type HiddenColumn struct{ base }

func (HiddenColumn) Fields() []ent.Field {
	return []ent.Field{
		field.Float("share").Optional().SchemaType(postgres("numeric(5,2)")).Annotations(annotation.Hidden()),
		field.Int("seats").Default(4).Annotations(annotation.Hidden(), entsql.Default("4")),
	}
}

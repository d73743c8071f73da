package unsafe

import (
	"math"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
)

type ChangingField struct{ base }

func (ChangingField) Fields() []ent.Field {
	return []ent.Field{
		field.Int("revision").Default(1).UpdateDefault(func() int { return 2 }),
		field.Int("turn").Default(1).UpdateDefault(func() int { return 2 }).Annotations(annotation.Hidden()),
	}
}

type LargeDefault struct{ base }

func (LargeDefault) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("most").Default(math.MaxInt64),
		field.Uint64("odd").Default(1<<53 + 1),
		field.Int64("least").Default(-1 << 53).Annotations(annotation.Hidden()),
		field.Int64("exact").Default(1<<53 - 1),
		field.Float("share").Default(1e300),
	}
}

type OneFieldTwoEdges struct{ base }

func (OneFieldTwoEdges) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("company", Company.Type).Field("company_id").Unique(),
		edge.To("customer", Company.Type).Field("company_id").Unique(),
	}
}

type DefaultReference struct{ base }

func (DefaultReference) Fields() []ent.Field {
	return []ent.Field{field.UUID("company_id", uuid.UUID{}).Default(uuid.New).Optional().Nillable()}
}

func (DefaultReference) Edges() []ent.Edge {
	return []ent.Edge{edge.To("company", Company.Type).Field("company_id").Unique()}
}

type MethodField struct{ base }

func (MethodField) Fields() []ent.Field { return text("fields") }

// HiddenMethodField may generate: no body has the field.
type HiddenMethodField struct{ base }

func (HiddenMethodField) Fields() []ent.Field {
	return []ent.Field{field.String("fields").Optional().Annotations(annotation.Hidden())}
}

type Skipped struct{ base }

func (Skipped) Annotations() []schema.Annotation { return []schema.Annotation{entsql.Skip()} }

type Sorted struct{ base }

func (Sorted) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Table("sorted"), entsql.Annotation{Collation: "C"}}
}

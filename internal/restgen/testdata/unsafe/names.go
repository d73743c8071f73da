package unsafe

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"records/ent/annotation"
)

func text(names ...string) (fields []ent.Field) {
	for _, n := range names {
		fields = append(fields, field.String(n).MaxRuneLen(300).Optional().Nillable())
	}
	return fields
}

type Rest struct{ base }

type Scan struct{ base }

type Name struct{ base }

type Snake_Case struct{ base }

type BadPath struct{ base }

func (BadPath) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Plural("bad/paths")}
}

type BadField struct{ base }

func (BadField) Fields() []ent.Field { return text("dueDate") }

type OtherColumn struct{ base }

func (OtherColumn) Fields() []ent.Field {
	return []ent.Field{field.String("phone").StorageKey("tel").Optional().Nillable()}
}

type BadEdge struct{ base }

func (BadEdge) Edges() []ent.Edge {
	return []ent.Edge{edge.To("theCompany", Company.Type).Field("company_id").Unique()}
}

type KeptField struct{ base }

func (KeptField) Fields() []ent.Field { return text("update") }

type TwoFields struct{ base }

func (TwoFields) Fields() []ent.Field { return text("status", "status_in") }

type FieldAndEdge struct{ base }

func (FieldAndEdge) Fields() []ent.Field {
	return append(text("query_company"), field.UUID("company_id", uuid.UUID{}).Optional().Nillable())
}

func (FieldAndEdge) Edges() []ent.Edge {
	return []ent.Edge{edge.To("company", Company.Type).Field("company_id").Unique()}
}

type EnumAndField struct{ base }

func (EnumAndField) Fields() []ent.Field {
	return append(text("levels"), field.Enum("level").Values("low", "validator"))
}

type Telling struct{ base }

func (Telling) Fields() []ent.Field {
	return []ent.Field{field.String("pin").MaxRuneLen(20).Optional().Nillable().Annotations(annotation.WriteOnly())}
}

func (Telling) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "pin").Unique()}
}

type LongIndex struct{ base }

func (LongIndex) Fields() []ent.Field { return text("title", "author", "shelf") }

func (LongIndex) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "title", "author").Unique(), index.Fields("workspace_id", "title", "shelf", "author")}
}

type EndlessIndex struct{ base }

func (EndlessIndex) Fields() []ent.Field {
	return []ent.Field{field.String("title").Optional().Nillable(), field.Strings("tags").Optional()}
}

func (EndlessIndex) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "title"), index.Fields("tags").Annotations(entsql.Desc())}
}

type TwoIndexes struct{ base }

func (TwoIndexes) Fields() []ent.Field { return text("code") }

func (TwoIndexes) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "code").Unique(), index.Fields("workspace_id", "code")}
}

type SystemColumn struct{ base }

func (SystemColumn) Fields() []ent.Field { return text("xmin") }

type SchemaMigration struct{ base }

type OwnID struct{ base }

func (OwnID) Fields() []ent.Field { return []ent.Field{field.UUID("id", uuid.UUID{})} }

type LongName struct{ base }

func (LongName) Fields() []ent.Field {
	return text("a_name_that_is_so_long_that_a_database_would_have_to_cut_it_somewhere")
}

type LongTable struct{ base }

func (LongTable) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Table("a_name_that_is_so_long_that_a_database_would_have_to_cut_it_somewhere")}
}

// Twin is alone in its names where it is checked alone.
type Twin struct{ base }

type TwinQuery struct{ base }

type TWIN struct{ base }

type Path struct{ base }

func (Path) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Plural("twins")}
}

// PriceList has the name that the description would give to a list of Price.
type PriceList struct{ base }

type Price struct{ base }

// Deleted is the API's own name for what a delete answers.
type Deleted struct{ base }

// Package unsafe declares schemas that must not generate, one for each reason,
// and one that may. It is loaded by the tests of restgen.
package unsafe

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/privacy"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/ent/rule"
	records "records/ent/schema"
)

type base struct{ ent.Schema }

func (base) Mixin() []ent.Mixin { return []ent.Mixin{records.Record{}} }

func (base) Fields() []ent.Field {
	return []ent.Field{field.UUID("company_id", uuid.UUID{}).Optional().Nillable()}
}

// Company may generate.
type Company struct{ base }

func (Company) Fields() []ent.Field {
	return []ent.Field{field.String("code").MaxRuneLen(600), field.UUID("parent_id", uuid.UUID{}).Optional().Nillable(),
		field.Int("oid"), field.JSON("extra", map[string]any{}).Optional()}
}

func (Company) Indexes() []ent.Index {
	return []ent.Index{index.Fields("workspace_id", "code").Unique(), index.Fields("code"), index.Fields("code", "workspace_id", "oid"),
		index.Fields("extra").Annotations(entsql.IndexType("GIN"))}
}

// Workspace is what the mixin refers to.
type Workspace struct{ ent.Schema }

func (Workspace) Fields() []ent.Field { return []ent.Field{field.UUID("id", uuid.UUID{})} }

func (Workspace) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

func (Workspace) Policy() ent.Policy {
	return privacy.Policy{Query: privacy.QueryPolicy{rule.OperatorOnly()}}
}

type NoPolicy struct{ ent.Schema }

type InternalNoPolicy struct{ ent.Schema }

func (InternalNoPolicy) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Internal{}}
}

type NoMixin struct{ ent.Schema }

func (NoMixin) Policy() ent.Policy { return Workspace{}.Policy() }

type Both struct{ base }

func (Both) Annotations() []schema.Annotation { return []schema.Annotation{annotation.Internal{}} }

type allowing struct{ mixin.Schema }

func (allowing) Policy() ent.Policy { return Workspace{}.Policy() }

type LateGuard struct{ ent.Schema }

func (LateGuard) Mixin() []ent.Mixin { return []ent.Mixin{allowing{}, records.Record{}} }

// Forged says that it stands on the mixin, and does not.
type Forged struct{ ent.Schema }

func (Forged) Annotations() []schema.Annotation {
	return []schema.Annotation{annotation.Resource{Record: true}}
}

func (Forged) Policy() ent.Policy { return Workspace{}.Policy() }

type UniqueField struct{ base }

func (UniqueField) Fields() []ent.Field { return []ent.Field{field.String("code").Unique()} }

type UniqueIndex struct{ base }

func (UniqueIndex) Fields() []ent.Field {
	return []ent.Field{field.String("code").MaxRuneLen(9), field.String("year").MaxRuneLen(9)}
}

func (UniqueIndex) Indexes() []ent.Index {
	return []ent.Index{index.Fields("code", "year").Unique()}
}

type ListEdge struct{ base }

func (ListEdge) Edges() []ent.Edge { return []ent.Edge{edge.To("companies", Company.Type)} }

type InverseEdge struct{ base }

func (InverseEdge) Edges() []ent.Edge {
	return []ent.Edge{edge.From("required", RequiredEdge.Type).Ref("inverse")}
}

type RequiredEdge struct{ base }

func (RequiredEdge) Fields() []ent.Field {
	return []ent.Field{
		field.UUID("company_id", uuid.UUID{}),
		field.UUID("inverse_id", uuid.UUID{}).Optional().Nillable(),
	}
}

func (RequiredEdge) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("company", Company.Type).Field("company_id").Unique().Required(),
		edge.To("inverse", InverseEdge.Type).Field("inverse_id").Unique(),
	}
}

type NoField struct{ base }

func (NoField) Edges() []ent.Edge { return []ent.Edge{edge.To("company", Company.Type).Unique()} }

type CascadingEdge struct{ base }

func (CascadingEdge) Edges() []ent.Edge {
	return []ent.Edge{edge.To("company", Company.Type).Field("company_id").Unique().Annotations(entsql.OnDelete(entsql.Cascade))}
}

type LeavingEdge struct{ base }

func (LeavingEdge) Fields() []ent.Field {
	return []ent.Field{field.UUID("other_id", uuid.UUID{}).Optional().Nillable()}
}

func (LeavingEdge) Edges() []ent.Edge {
	return []ent.Edge{edge.To("other", Workspace.Type).Field("other_id").Unique()}
}

// SelfEdge may generate.
type SelfEdge struct{ base }

func (SelfEdge) Fields() []ent.Field {
	return []ent.Field{field.UUID("parent_id", uuid.UUID{}).Optional().Nillable()}
}

func (SelfEdge) Edges() []ent.Edge {
	return []ent.Edge{edge.To("parent", SelfEdge.Type).Field("parent_id").Unique()}
}

type NoWireType struct{ base }

func (NoWireType) Fields() []ent.Field { return []ent.Field{field.Bytes("size")} }

type NotNillable struct{ base }

func (NotNillable) Fields() []ent.Field { return []ent.Field{field.String("note").Optional()} }

type NoWireObject struct{ base }

func (NoWireObject) Fields() []ent.Field { return []ent.Field{field.JSON("size", struct{ A int }{})} }

type NoWireList struct{ base }

func (NoWireList) Fields() []ent.Field {
	return []ent.Field{field.JSON("sizes", []map[string]any{})}
}

type NoWireAny struct{ base }

func (NoWireAny) Fields() []ent.Field { return []ent.Field{field.Any("size")} }

type Cents int64

type NoWireGoType struct{ base }

func (NoWireGoType) Fields() []ent.Field { return []ent.Field{field.Int64("size").GoType(Cents(0))} }

type BadExample struct{ base }

func (BadExample) Fields() []ent.Field {
	return []ent.Field{field.Strings("tags").Annotations(annotation.Examples("a,b"))}
}

type HiddenRequired struct{ base }

func (HiddenRequired) Fields() []ent.Field {
	return []ent.Field{field.String("origin").Annotations(annotation.Hidden()), field.String("secret").Sensitive()}
}

type HiddenWriteOnly struct{ base }

func (HiddenWriteOnly) Fields() []ent.Field {
	return []ent.Field{field.String("pin").Optional().Nillable().Annotations(annotation.Hidden(), annotation.WriteOnly())}
}

type Deprecated struct{ base }

func (Deprecated) Fields() []ent.Field { return []ent.Field{field.String("old").Deprecated()} }

type TwoValidators struct{ base }

func (TwoValidators) Fields() []ent.Field {
	pass := func([]string) error { return nil }
	return []ent.Field{field.Strings("tags").Validate(pass).Validate(pass)}
}

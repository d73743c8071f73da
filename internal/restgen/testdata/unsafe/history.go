package unsafe

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"

	"records/ent/annotation"
)

type RenamedPresent struct{ base }

func (RenamedPresent) Fields() []ent.Field {
	return []ent.Field{field.String("title").Annotations(annotation.RenamedFrom("subject")), field.String("subject")}
}

type RenamedTwice struct{ base }

func (RenamedTwice) Fields() []ent.Field {
	return []ent.Field{
		field.String("title").Annotations(annotation.RenamedFrom("subject")),
		field.String("heading").Annotations(annotation.RenamedFrom("subject")),
	}
}

type OptionalBackfill struct{ base }

func (OptionalBackfill) Fields() []ent.Field {
	return []ent.Field{field.String("note").Optional().Nillable().Annotations(annotation.Backfill("none"))}
}

type EmptyBackfill struct{ base }

func (EmptyBackfill) Fields() []ent.Field {
	return []ent.Field{field.String("note").Annotations(annotation.Backfill(""))}
}

type LongBackfill struct{ base }

func (LongBackfill) Fields() []ent.Field {
	return []ent.Field{field.String("note").Annotations(annotation.Backfill("one\ntwo"))}
}

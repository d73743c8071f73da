package unsafe

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"github.com/google/uuid"

	"records/ent/annotation"
	"records/internal/scalar"
)

type ruled struct{ base }

func (ruled) Fields() []ent.Field {
	day := map[string]string{"postgres": "date", "sqlite3": "text"}
	return []ent.Field{
		field.String("name"),
		field.String("note").Optional().Nillable(),
		field.String("pin").Annotations(annotation.WriteOnly()),
		field.String("origin").Default("api").Annotations(annotation.Hidden()),
		field.Enum("state").Values("open", "closed"),
		field.Other("day", scalar.Date{}).SchemaType(day),
		field.Time("made"),
		field.Time("sent"),
		field.Int64("length").GoType(time.Duration(0)),
		field.Int("seats").Annotations(annotation.Examples("1")),
		field.Float("share"),
		field.Float32("part"),
		field.Strings("tags"),
		field.UUID("owner_id", uuid.UUID{}).Optional().Nillable(),
		field.UUID("company_id", uuid.UUID{}).Optional().Nillable(),
	}
}

func (ruled) Edges() []ent.Edge {
	return []ent.Edge{edge.To("company", Company.Type).Field("company_id").Unique()}
}

type Ruled struct{ ruled }

func (Ruled) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Checks(map[string]string{
		"fine": "name <> note AND (day >= '2026-01-31' OR made <= sent) AND NOT seats IN (0, -1) AND share > 0 AND company_id <> owner_id",
	})}
}

type UnnamedRule struct{ ruled }

func (UnnamedRule) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Check("seats > 0")}
}

type BrokenRule struct{ ruled }

func (BrokenRule) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Checks(map[string]string{"many_seats": "seats > 1 OR state = 'closed'"})}
}

type UnfitRule struct{ ruled }

func (UnfitRule) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Checks(map[string]string{
		"Named":             "seats > 0",
		"unfit_rules_seats": "seats > 0",
		"a01":               "length(name) > 0",
		"a02":               "name LIKE 'a%'",
		"a03":               "seats / 2 > 1",
		"a04":               "day < CURRENT_DATE",
		"a05":               "name || note <> 'a'",
		"a06":               "seats IN (SELECT 1)",
		"a07":               "seats",
		"a08":               "(seats > 0",
		"a09":               "seats > 99999999999999999999",
		"a10":               "name <> 'it''s'",
		"a11":               "name <> 'a;b'",
		"a12":               "seats = '1'",
		"a13":               "rooms > 0",
		"a14":               "seats > rooms",
		"a15":               "origin <> 'api'",
		"a16":               "pin <> name",
		"a17":               "tags IS NULL",
		"a18":               "company_id IS NOT NULL",
		"a19":               "name < note",
		"a20":               "seats > share",
		"a21":               "share > part",
		"a22":               "made > '2026-01-31'",
		"a23":               "day > '2026-02-30'",
		"a24":               "length > 0",
		"a25":               "share > 9007199254740993",
		"a26":               "created_at < made",
		"a27":               "state = true",
		"a28":               "seats > 0 -- at all",
		"a29":               "seats >= 1.5",
		"a30":               "now() > made",
		"a31":               "seats::text = '1'",
		"a32":               "seats BETWEEN 1 AND 2",
		"a33":               "workspace_id <> owner_id",
		"a34":               "",
		"a35":               "state <> 'closd' OR seats > 0",
	})}
}

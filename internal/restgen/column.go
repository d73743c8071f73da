package restgen

import (
	"maps"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/gen"
)

// columns are the types of column that a field must say, by its kind: what
// ent/schema has as dateColumn and decimalColumn. Of the other kinds Ent knows the
// type itself.
var columns = map[string]map[string]string{
	date.Name:    {dialect.Postgres: "date", dialect.SQLite: "text"},
	decimal.Name: {dialect.Postgres: "numeric(19,4)", dialect.SQLite: "text"},
}

// tableFaults finds what a schema asks of its table and the migrations would not
// make, or not on both databases alike. rulesOf looks at its checks.
func tableFaults(t *gen.Type) []string {
	asked := map[string]any{}
	decodeAnnotation(t.Annotations[entsql.Annotation{}.Name()], &asked)
	for _, made := range []string{"table", "check", "checks"} { // as entsql.Annotation has them in JSON
		delete(asked, made)
	}
	if len(asked) == 0 {
		return nil
	}
	return []string{t.Name + " is given an annotation of entsql other than Table and Checks, of which the databases would make nothing, or not the same: remove it"}
}

// columnFault finds a column that would not keep to the letter what the API takes.
// The API does not see that of a hidden field.
func columnFault(f *gen.Field) string {
	sql := f.EntSQL()
	if sql != nil && (sql.Check != "" || len(sql.Checks) > 0) {
		return "given an entsql.Check, which no migration carries: remove it, and say it by Validate"
	}
	k, ok := kindOf(f)
	if hidden(f) || !ok {
		return ""
	}
	said, want := f.Column().SchemaType, columns[k.Name]
	switch {
	case sql != nil:
		return "given an annotation of entsql, by which its column would have another default, length or order than the API tells: remove it, and say it by Default, MaxRuneLen or Validate"
	case maps.Equal(said, want):
		return ""
	case want == nil:
		return "given a SchemaType, and PostgreSQL would round, cut or refuse there what the API takes and SQLite keeps: remove it, and hold values by MaxRuneLen, Min, Max or Validate"
	case k == date:
		return "a date in another column than one of dates: write SchemaType(dateColumn)"
	}
	return "a decimal in a column that would not keep all its digits: write SchemaType(decimalColumn)"
}

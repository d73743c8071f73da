package scan

import (
	"sync"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
)

// whole are the columns of each table as they stand in a statement, by dialect.
var whole sync.Map

type table struct{ dialect, name string }

// Whole gives a query that reads all columns of its own table their text as one,
// which is the same each time. Ent quotes and joins every name of every statement
// otherwise, and leaves what is qualified as it is.
func Whole(spec *sqlgraph.QuerySpec, dialect string) {
	key := table{dialect, spec.Node.Table}
	text, ok := whole.Load(key)
	if !ok {
		selector := sql.Dialect(dialect).Select().From(sql.Dialect(dialect).Table(key.name))
		b := &sql.Builder{}
		b.SetDialect(dialect)
		b.IdentComma(selector.Columns(spec.Node.Columns...)...)
		text, _ = whole.LoadOrStore(key, []string{b.String()})
	}
	spec.Node.Columns = text.([]string)
}

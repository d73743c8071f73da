package scan

import (
	"context"
	"errors"
	"sync"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"
)

// Condition holds a query to the rows whose column has the value.
type Condition struct {
	Column string
	Value  uuid.UUID // not just any value: Ent writes some of them into the text
}

// exactMost is how many conditions an exact query has at most.
const exactMost = 3

// exact are the texts of exact queries, which vary by what an exactKey holds alone.
var exact sync.Map

type exactKey struct {
	dialect, table string
	conditions     [exactMost]string // their columns
}

// IsExact reports whether a query asks for all columns of all rows that meet the
// conditions, of which there are not too many for Exactly.
func IsExact(q *ent.QueryContext, conditions []Condition) bool {
	return len(conditions) <= exactMost && q.Limit == nil && q.Offset == nil && q.Unique == nil && len(q.Fields) == 0
}

// Exactly runs a query for all columns of the rows that meet the conditions, which
// has nothing besides: no order, limit or modifier. Such a query looks the same each
// time but for its values, so that its text is made once, where Ent makes it anew.
// Each row goes to assign, in values that targets makes.
func Exactly(ctx context.Context, drv dialect.Driver, table string, columns []string, conditions []Condition, targets func(columns []string) ([]any, error), assign func(columns []string, values []any) error) error {
	key := exactKey{dialect: drv.Dialect(), table: table}
	args := make([]any, len(conditions))
	for i, c := range conditions {
		key.conditions[i], args[i] = c.Column, c.Value
	}
	text, ok := exact.Load(key)
	if !ok {
		text, _ = exact.LoadOrStore(key, exactText(key.dialect, table, columns, conditions))
	}
	rows := &sql.Rows{}
	if err := drv.Query(ctx, text.(string), args, rows); err != nil {
		return err
	}
	_, err := read(rows, targets, assign)
	return errors.Join(err, rows.Close())
}

// exactText is the text as Ent makes it.
func exactText(dialect, table string, columns []string, conditions []Condition) string {
	selector := sql.Dialect(dialect).Select().From(sql.Dialect(dialect).Table(table))
	selector.Select(selector.Columns(columns...)...)
	for _, c := range conditions {
		selector.Where(sql.EQ(selector.C(c.Column), c.Value))
	}
	text, _ := selector.Query()
	return text
}

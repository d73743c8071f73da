package rest

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"
)

// CountColumn is the dynamic column in which each record of a page carries the
// total.
const CountColumn = "total_count"

// SelectCount adds the exact total to the statement that reads the page, so
// that both come from one snapshot. The inner query has the predicates of the
// outer one, the workspace's among them.
func SelectCount(table string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		total := sql.Dialect(s.Dialect()).Select(sql.Count("*")).From(sql.Table(table)).Where(s.P())
		s.AppendSelectExprAs(total, CountColumn)
	}
}

// pageAndCount returns a page and the total it belongs to. An empty page
// carries no total: at offset 0 it is 0; past the end it is counted apart, and
// the two are read again if records came in between.
func (r resource[T, I]) pageAndCount(ctx context.Context, page Page) ([]T, int, error) {
	for {
		records, err := r.calls.List(ctx, page)
		if err != nil {
			return nil, 0, err
		}
		if len(records) > 0 {
			count, err := totalOf(records[0])
			return records, count, err
		}
		if page.Offset == 0 {
			return nil, 0, nil
		}
		if count, err := r.calls.Count(ctx); err != nil || count <= page.Offset {
			return nil, count, err
		}
	}
}

func totalOf[T Record](record T) (int, error) {
	v, err := record.Selected(CountColumn)
	if err != nil {
		return 0, err
	}
	n, ok := v.(int64)
	if !ok {
		return 0, fmt.Errorf("rest: the total is a %T", v)
	}
	return int(n), nil
}

package rest

import (
	"context"
	"fmt"

	"entgo.io/ent/dialect/sql"

	"records/ent/recordcount"
	"records/ent/rule"
)

// CountColumn is the dynamic column in which each record of a page carries the
// total.
const CountColumn = "total_count"

// SelectCount adds the exact total to the statement that reads the page, so
// that both come from one snapshot. The total is the sum of what is kept in
// record_counts: no record is looked at for it.
func SelectCount(table string) func(*sql.Selector) {
	return func(s *sql.Selector) {
		total := sql.Dialect(s.Dialect()).Select().From(sql.Table(recordcount.Table))                           //nolint:forbidigo // Narrow holds it
		total.AppendSelectExpr(sql.Expr(Total(total))).Where(sql.EQ(total.C(recordcount.FieldResource), table)) //nolint:forbidigo // a sum of its own column
		rule.Narrow(s.Context(), total)
		s.AddError(total.Err())
		s.AppendSelectExprAs(total, CountColumn)
	}
}

// Total is the sum over the slots of a count, 0 where there is none.
func Total(*sql.Selector) string {
	return "CAST(COALESCE(SUM(" + recordcount.FieldN + "), 0) AS bigint)"
}

// Skip leaves out as many of the newest records as offset says. It looks for the
// first that stays in the index of the primary key alone, so that no record is
// fetched to be thrown away.
func Skip(table string, offset int) func(*sql.Selector) {
	return func(s *sql.Selector) {
		if offset == 0 {
			return
		}
		first := sql.Dialect(s.Dialect()).Select("id").From(sql.Table(table)).OrderBy(sql.Desc("id")).Limit(1) //nolint:forbidigo // Narrow holds it
		rule.Narrow(s.Context(), first)
		s.AddError(first.Err())
		s.Where(sql.P(func(b *sql.Builder) {
			b.Ident(s.C("id")).WriteString(" <= ")
			b.Wrap(func(b *sql.Builder) { b.Join(first).WriteString(" OFFSET ").Arg(offset) })
		}))
	}
}

// pageAndCount returns a page and the total it belongs to. An empty page
// carries no total: at offset 0 it is 0; past the end it is read apart, and
// the two are read again if records came in between.
func (r resource[T, I]) pageAndCount(ctx context.Context, page Page) ([]T, int, error) {
	for range maxReadings {
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
	return nil, 0, fmt.Errorf("rest: %s counts more than it lists at offset %d: records doctor finds counts that are wrong", r.spec.Table, page.Offset)
}

// maxReadings bounds how often a page that is empty is read again: so many times in
// a row nobody writes in between, but a count that is wrong stays so.
const maxReadings = 20

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

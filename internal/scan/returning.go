// Package scan reads rows into records for the generated client: what the
// templates of internal/restgen need of it and what does not vary by schema.
package scan

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
)

// Returning returns a driver for one update that ends in RETURNING. Ent's bulk
// update only counts the rows that it reaches: here it gets its count, and each
// row goes to assign, into values as targets makes them.
func Returning(drv dialect.Driver, targets func(columns []string) ([]any, error), assign func(columns []string, values []any) error) dialect.Driver {
	return returning{drv, targets, assign}
}

type returning struct {
	dialect.Driver
	targets func(columns []string) ([]any, error)
	assign  func(columns []string, values []any) error
}

// Exec implements dialect.ExecQuerier. It reads to the end of the rows, behind
// which the update is committed.
func (r returning) Exec(ctx context.Context, query string, args, v any) error {
	result, ok := v.(*sql.Result)
	if !ok {
		return fmt.Errorf("scan: an update asks for a %T", v)
	}
	rows := &sql.Rows{}
	if err := r.Query(ctx, query, args, rows); err != nil {
		return err
	}
	n, err := read(rows, reuse(r.targets), r.assign)
	*result = driver.RowsAffected(n)
	return errors.Join(err, rows.Close())
}

// read hands each row to assign, in values that targets makes, and returns how many
// there were.
func read(rows *sql.Rows, targets func(columns []string) ([]any, error), assign func(columns []string, values []any) error) (n int, err error) {
	columns, err := rows.Columns()
	if err != nil {
		return 0, err
	}
	for err == nil && rows.Next() {
		n++
		var values []any
		if values, err = targets(columns); err == nil {
			err = rows.Scan(values...)
		}
		if err == nil {
			err = assign(columns, values)
		}
	}
	return n, errors.Join(err, rows.Err())
}

// Tx implements dialect.Driver. Ent begins a transaction for an update of several
// tables, whose rows would not pass here; records have no such edges.
func (r returning) Tx(context.Context) (dialect.Tx, error) {
	return nil, errors.New("scan: an update of several tables cannot return its records")
}

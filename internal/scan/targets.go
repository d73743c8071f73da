package scan

import (
	stdsql "database/sql"
	"reflect"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqlgraph"
	"github.com/google/uuid"

	"records/internal/scalar"
)

// Reuse makes a query scan all of its rows into the same targets. Ent makes one
// for each column of each row, and then copies the value into the record.
//
// What a statement selects besides the table's columns is what all rows share, as
// the total of a page: the first record alone carries it.
func Reuse(spec *sqlgraph.QuerySpec) {
	if spec.ScanValues == nil { // of a count
		return
	}
	spec.ScanValues = reuse(spec.ScanValues)
	assign, known, first := spec.Assign, len(spec.Node.Columns), true
	spec.Assign = func(columns []string, values []any) error {
		if !first {
			columns = columns[:min(known, len(columns))]
		}
		first = false
		return assign(columns, values)
	}
}

// reuse makes targets once, and anew for every row only those that a record might
// keep, or that might keep what the last row had.
func reuse(targets func(columns []string) ([]any, error)) func(columns []string) ([]any, error) {
	var values []any
	var anew []int
	return func(columns []string) (_ []any, err error) {
		if values != nil {
			for _, i := range anew {
				values[i] = fresh(values[i])
			}
			return values, nil
		}
		values, err = targets(columns)
		for i, v := range values {
			if !reusable(v) {
				anew = append(anew, i)
			}
		}
		return values, err
	}
}

// reusable reports whether a target holds a value that Ent copies, and whether any
// value that is scanned, null included, leaves nothing of the one before.
func reusable(target any) bool {
	switch v := target.(type) {
	case *sql.NullString, *sql.NullInt64, *sql.NullFloat64, *sql.NullBool, *sql.NullTime:
		return true
	case *sql.NullScanner: // null does not reach S
		switch v.S.(type) {
		case *uuid.UUID, *scalar.Date, *scalar.Decimal:
			return true
		}
	}
	return false
}

// fresh returns a new target of the same type.
func fresh(target any) any {
	if v, ok := target.(*sql.NullScanner); ok {
		return &sql.NullScanner{S: fresh(v.S).(stdsql.Scanner)}
	}
	if v, ok := target.(*uuid.UUID); ok {
		*v = uuid.Nil // it is copied, but null would leave it as it was
		return v
	}
	return reflect.New(reflect.TypeOf(target).Elem()).Interface()
}

package database

import (
	"database/sql/driver"
	"errors"
	"io"
)

// pqRows is what lib/pq's rows offer to database/sql.
type pqRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
	driver.RowsNextResultSet
}

// rows is a reply that is still being read: its operation goes on until Close.
type rows struct {
	pqRows
	op *operation
}

func newRows(result driver.Rows, op *operation) *rows {
	op.c.reading = true
	return &rows{pqRows: result.(pqRows), op: op}
}

// Next returns an ErrOutcomeUnknown if the end of a writing statement's reply is
// lost, or takes it back: its rows came before it was committed.
func (r *rows) Next(dest []driver.Value) error {
	err := r.pqRows.Next(dest)
	if errors.Is(err, io.EOF) && !r.op.c.unreplicated {
		return err
	}
	return r.op.judge(err)
}

func (r *rows) Close() error {
	r.op.c.reading = false
	return r.op.end(r.pqRows.Close())
}

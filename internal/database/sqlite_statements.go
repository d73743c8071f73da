package database

import (
	"context"
	"database/sql/driver"
)

// A connection keeps the statements that it used last prepared, for to compile one
// costs about as much as to run it. Clients choose which fields a write names, and
// so the texts: that is why there are bounds.
//
// When the schema changes, also by another process, SQLite compiles a statement
// anew as it is run (https://sqlite.org/c3ref/prepare.html), and the driver asks
// for its columns after that.
const (
	keptStatements = 64
	keptBytes      = 128 << 10 // of their texts together
)

// statements are the prepared statements of a connection.
type statements struct {
	byText map[string]*statementKept
	bytes  int
	uses   uint64
}

// statementKept is a prepared statement. It cannot be used again while its rows are
// read.
type statementKept struct {
	sqliteStmt
	last  uint64 // which of the uses was its last
	inUse bool
}

// sqliteStmt is what the driver's statement offers.
type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// find returns the statement of a text, which it prepares if it is not there yet,
// or nil if the text is not one to keep or its statement is in use.
func (s *statements) find(ctx context.Context, c sqliteConn, text string) (*statementKept, error) {
	s.uses++
	if kept := s.byText[text]; kept != nil {
		kept.last = s.uses
		if kept.inUse {
			return nil, nil
		}
		return kept, nil
	}
	if len(text) > keptBytes || !worthKeeping(text) {
		return nil, nil
	}
	stmt, err := c.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	for len(s.byText) >= keptStatements || s.bytes+len(text) > keptBytes {
		if !s.forget() {
			return nil, stmt.Close()
		}
	}
	if s.byText == nil {
		s.byText = map[string]*statementKept{}
	}
	kept := &statementKept{sqliteStmt: stmt.(sqliteStmt), last: s.uses}
	s.byText[text] = kept
	s.bytes += len(text)
	return kept, nil
}

// worthKeeping reports whether a text is one statement that comes again.
func worthKeeping(text string) bool {
	return kindOf(text) != other || text == beginWriting || text == commit || text == rollback
}

// forget closes the statement that was not used for longest. It reports whether
// there was one that could be closed.
func (s *statements) forget() bool {
	var oldest string
	var found *statementKept
	for text, kept := range s.byText {
		if !kept.inUse && (found == nil || kept.last < found.last) {
			oldest, found = text, kept
		}
	}
	if found == nil {
		return false
	}
	delete(s.byText, oldest)
	s.bytes -= len(oldest)
	_ = found.Close() // which repeats the error of its last use
	return true
}

// close closes all of them. A connection with an open statement stays open.
func (s *statements) close() {
	for _, kept := range s.byText {
		_ = kept.Close()
	}
	s.byText, s.bytes = nil, 0
}

// sqliteRows are what the driver's rows offer to database/sql.
type sqliteRows interface {
	driver.Rows
	driver.RowsColumnTypeDatabaseTypeName
	driver.RowsColumnTypeLength
	driver.RowsColumnTypeNullable
	driver.RowsColumnTypePrecisionScale
	driver.RowsColumnTypeScanType
}

// keptRows are rows of a kept statement, which is free again when they are closed.
type keptRows struct {
	sqliteRows
	of *statementKept
}

func (k *statementKept) query(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	rows, err := k.QueryContext(ctx, args)
	if err != nil {
		return nil, err
	}
	k.inUse = true
	return &keptRows{rows.(sqliteRows), k}, nil
}

func (r *keptRows) Close() error {
	r.of.inUse = false
	return r.sqliteRows.Close()
}

package database

import (
	"context"
	"database/sql/driver"

	"github.com/hashicorp/golang-lru/v2/simplelru"
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
	byText *simplelru.LRU[string, *statementKept]
	bytes  int
}

func newStatements() statements {
	return statements{byText: newLRU[*statementKept](keptStatements)}
}

// statementKept is a prepared statement. It cannot be used again while its rows are
// read.
type statementKept struct {
	sqliteStmt
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
	if kept, ok := s.byText.Get(text); ok {
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
	for s.byText.Len() >= keptStatements || s.bytes+len(text) > keptBytes {
		if !s.forget() {
			return nil, stmt.Close()
		}
	}
	kept := &statementKept{sqliteStmt: stmt.(sqliteStmt)}
	s.byText.Add(text, kept)
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
	for _, text := range s.byText.Keys() { // from the oldest on
		kept, _ := s.byText.Peek(text)
		if kept.inUse {
			continue
		}
		s.byText.Remove(text)
		s.bytes -= len(text)
		_ = kept.Close() // which repeats the error of its last use
		return true
	}
	return false
}

// close closes all of them. A connection with an open statement stays open.
func (s *statements) close() {
	for _, kept := range s.byText.Values() {
		_ = kept.Close()
	}
	s.byText.Purge()
	s.bytes = 0
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

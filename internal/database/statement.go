package database

import (
	"context"
	"database/sql/driver"
	"time"
)

// closeTimeout bounds the round trip by which a prepared statement is given back.
const closeTimeout = 5 * time.Second

// pqStmt is what lib/pq's prepared statement offers to database/sql.
type pqStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// statement is a prepared statement of a connection.
type statement struct {
	pqStmt
	c    *connection
	kind kind
}

func (s *statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	op, err := s.c.begin(ctx, !s.c.inTx && s.kind != read)
	if err != nil {
		return nil, err
	}
	result, err := s.pqStmt.ExecContext(ctx, args)
	return result, op.end(err)
}

func (s *statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	op, err := s.c.begin(ctx, !s.c.inTx && s.kind != read)
	if err != nil {
		return nil, err
	}
	result, err := s.pqStmt.QueryContext(ctx, args)
	if err != nil {
		return nil, op.end(err)
	}
	return newRows(result, op), nil
}

func (s *statement) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	return s.close(ctx)
}

func (s *statement) close(ctx context.Context) error {
	op, err := s.c.begin(ctx, false)
	if err != nil {
		return err
	}
	return op.end(s.pqStmt.Close())
}

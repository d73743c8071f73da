package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync"
)

// errRolledBack answers what comes after an error by which SQLite has ended the
// transaction: it would be committed by itself.
var errRolledBack = errors.New("the database has rolled the transaction back after an error")

// sqliteSeat is what database/sql takes for a connection that writes. Its statements
// run on the writer's one connection, in turn.
type sqliteSeat struct {
	writer *sqliteWriter
	tx     *sqliteConnection // in a transaction the connection, which is the seat's until its end
}

// ExecContext implements driver.ExecerContext.
func (s *sqliteSeat) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	if s.tx != nil {
		if s.tx.rolledBack {
			return nil, errRolledBack
		}
		return s.tx.ExecContext(ctx, query, args)
	}
	if joins(query) {
		w := &write{ctx: ctx, query: query, args: args}
		err := s.write(w)
		return w.result, err
	}
	c, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	defer s.writer.turn.give()
	return c.ExecContext(ctx, query, args)
}

// QueryContext implements driver.QueryerContext. The rows of a write are there when
// it is committed; those of any other query keep the turn until they are closed.
func (s *sqliteSeat) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	if s.tx != nil {
		if s.tx.rolledBack {
			return nil, errRolledBack
		}
		return s.tx.QueryContext(ctx, query, args)
	}
	if joins(query) {
		w := &write{ctx: caller(ctx), query: query, args: args, wanted: true}
		if err := s.write(w); err != nil {
			return nil, err
		}
		return w.rows, nil
	}
	c, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	rows, err := c.QueryContext(ctx, query, args)
	if err != nil {
		s.writer.turn.give()
		return nil, err
	}
	return &turnRows{Rows: rows, give: sync.OnceFunc(s.writer.turn.give)}, nil
}

// joins reports whether a statement may be committed together with others.
func joins(query string) bool {
	switch kindOf(query) {
	case insert, update, remove:
		return true
	}
	return false
}

// write has a write done, by its own goroutine or by another.
func (s *sqliteSeat) write(w *write) error {
	mine, err := s.writer.turn.take(w.ctx, w)
	if err != nil {
		return err
	}
	if mine {
		defer s.writer.turn.give()
		s.writer.lead(w)
	}
	return w.err
}

// take waits for the turn, and returns the connection to who gives it.
func (s *sqliteSeat) take(ctx context.Context) (*sqliteConnection, error) {
	if _, err := s.writer.turn.take(ctx, nil); err != nil {
		return nil, err
	}
	c, err := s.writer.connection(ctx)
	if err != nil {
		s.writer.turn.give()
	}
	return c, err
}

// BeginTx implements driver.ConnBeginTx. The transaction keeps the turn until its
// end, and has the file's write lock at once.
func (s *sqliteSeat) BeginTx(ctx context.Context, _ driver.TxOptions) (driver.Tx, error) {
	c, err := s.take(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.writer.begin(ctx, c); err != nil {
		s.writer.turn.give()
		return nil, err
	}
	s.tx = c
	return s, nil
}

// Commit implements driver.Tx.
func (s *sqliteSeat) Commit() error {
	defer s.writer.turn.give()
	c := s.tx
	s.tx = nil
	return s.writer.commit(c)
}

// Rollback implements driver.Tx.
func (s *sqliteSeat) Rollback() error {
	defer s.writer.turn.give()
	c := s.tx
	s.tx = nil
	s.writer.undo(c)
	return nil
}

// CheckNamedValue implements driver.NamedValueChecker as every connection does.
func (*sqliteSeat) CheckNamedValue(value *driver.NamedValue) error { return checkValue(value) }

// Begin implements driver.Conn.
func (s *sqliteSeat) Begin() (driver.Tx, error) {
	return s.BeginTx(context.Background(), driver.TxOptions{})
}

// Close implements driver.Conn. A seat holds nothing.
func (*sqliteSeat) Close() error { return nil }

// Prepare implements driver.Conn.
func (*sqliteSeat) Prepare(string) (driver.Stmt, error) {
	return nil, errors.New("a statement is not prepared by hand: the connection keeps it")
}

// turnRows are rows that keep the turn until they are closed.
type turnRows struct {
	driver.Rows
	give func()
}

func (r *turnRows) Close() error {
	defer r.give()
	return r.Rows.Close()
}

// callerKey finds the caller's context in one that outlives it.
type callerKey struct{}

// outliving returns a context that goes on after the end of ctx, for database/sql,
// which takes the rows of a write away with it. Waiting still ends with ctx.
func outliving(ctx context.Context) context.Context {
	return context.WithValue(context.WithoutCancel(ctx), callerKey{}, ctx)
}

// caller returns the context that an outliving one was made of.
func caller(ctx context.Context) context.Context {
	if c, ok := ctx.Value(callerKey{}).(context.Context); ok {
		return c
	}
	return ctx
}

package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"time"

	"modernc.org/sqlite"
)

// The statements of the writer's transactions: it has the file's write lock from
// the start.
const (
	beginWriting = "BEGIN IMMEDIATE"
	commit       = "COMMIT"
	rollback     = "ROLLBACK"
)

// sqliteWriter is the one connection that writes, and the turn that its users take.
// To database/sql it is a connector of as many connections as it likes, each of
// which is a sqliteSeat.
type sqliteWriter struct {
	connector driver.Connector
	file      *sqliteFile
	turn      turn
	conn      *sqliteConnection // whose turn it is may use it; nil until it is needed
	closed    bool
	long      time.Duration // after which no more writes are taken up together
}

// Connect implements driver.Connector.
func (w *sqliteWriter) Connect(context.Context) (driver.Conn, error) {
	return &sqliteSeat{writer: w}, nil
}

// Driver is asked for by database/sql, and not used.
func (w *sqliteWriter) Driver() driver.Driver { return w.connector.Driver() }

// Close waits for who holds the turn, and closes the connection. One that is in use
// for ever is left to the end of the process.
func (w *sqliteWriter) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	if _, err := w.turn.take(ctx, nil); err != nil {
		return errors.New("close the database: a transaction is still open")
	}
	defer w.turn.give()
	w.closed = true
	return w.drop()
}

// connection returns the connection to who holds the turn.
func (w *sqliteWriter) connection(ctx context.Context) (*sqliteConnection, error) {
	if w.closed {
		return nil, sql.ErrConnDone
	}
	if err := w.file.inPlace(); err != nil {
		return nil, err
	}
	if w.conn == nil {
		conn, err := w.connector.Connect(ctx)
		if err != nil {
			return nil, err
		}
		c := conn.(*sqliteConnection)
		c.sqliteConn.(sqlite.HookRegisterer).RegisterRollbackHook(func() { c.rolledBack = true })
		w.conn = c
	}
	return w.conn, nil
}

func (w *sqliteWriter) drop() error {
	if w.conn == nil {
		return nil
	}
	w.conn.sqliteConn.(sqlite.HookRegisterer).RegisterRollbackHook(nil)
	err := w.conn.Close()
	w.conn = nil
	return err
}

// begin starts a transaction, which has the file's write lock from the start.
func (w *sqliteWriter) begin(ctx context.Context, c *sqliteConnection) error {
	_, err := c.ExecContext(ctx, beginWriting, nil)
	c.rolledBack = false
	return err
}

// commit ends a transaction, or undoes it.
func (w *sqliteWriter) commit(c *sqliteConnection) error {
	_, err := c.ExecContext(context.Background(), commit, nil)
	if err != nil {
		w.undo(c)
	}
	return committed(err)
}

// undo rolls a transaction back, if SQLite has not done so already. A connection
// that cannot be brought out of it is given up: with it goes what it wrote.
func (w *sqliteWriter) undo(c *sqliteConnection) {
	if c.rolledBack {
		return
	}
	if _, err := c.ExecContext(context.Background(), rollback, nil); err != nil {
		_ = w.drop()
	}
}

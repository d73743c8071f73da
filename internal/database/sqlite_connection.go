package database

import (
	"context"
	"database/sql/driver"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

const (
	// busyTimeout is how long a statement waits for another process to let go of
	// the file, where nothing else is said. In this process writers take turns and
	// do not meet.
	busyTimeout = 8 * time.Second
	// busySlice is the part of it that SQLite waits by itself. It does not look at
	// the context meanwhile, so the rest is waited here.
	busySlice = 200 * time.Millisecond
)

// sqliteConn is what the driver's connection offers to database/sql.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// sqliteConnector makes connections for database/sql.
type sqliteConnector struct {
	driver.Connector
	patience patience
}

// Connect opens a connection. The first one to a new file changes its journal's
// mode, for which it must have the file to itself.
func (c *sqliteConnector) Connect(ctx context.Context) (conn driver.Conn, err error) {
	err = c.patience.whileBusy(ctx, func(ctx context.Context) error {
		conn, err = c.Connector.Connect(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &sqliteConnection{sqliteConn: conn.(sqliteConn), patience: c.patience, kept: newStatements()}, nil
}

// sqliteConnection is a connection to a SQLite file. It adds to the driver's that
// waiting for another process ends with the context, and that a write which has
// begun is finished: stopped halfway, the driver could not tell its outcome.
type sqliteConnection struct {
	sqliteConn
	patience   patience
	kept       statements
	rolledBack bool // since the writer's last transaction began, by whatever
}

func (c *sqliteConnection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (result driver.Result, err error) {
	err = c.patience.finish(ctx, query, func(ctx context.Context) error {
		kept, err := c.kept.find(ctx, c.sqliteConn, query)
		switch {
		case err != nil:
		case kept != nil:
			result, err = kept.ExecContext(ctx, args)
		default:
			result, err = c.sqliteConn.ExecContext(ctx, query, args)
		}
		return err
	})
	return result, err
}

func (c *sqliteConnection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (rows driver.Rows, err error) {
	err = c.patience.finish(ctx, query, func(ctx context.Context) error {
		kept, err := c.kept.find(ctx, c.sqliteConn, query)
		switch {
		case err != nil:
		case kept != nil:
			rows, err = kept.query(ctx, args)
		default:
			rows, err = c.sqliteConn.QueryContext(ctx, query, args)
		}
		return err
	})
	return rows, err
}

// Close closes the connection and its statements.
func (c *sqliteConnection) Close() error {
	c.kept.close()
	return c.sqliteConn.Close()
}

// CheckNamedValue implements driver.NamedValueChecker.
func (*sqliteConnection) CheckNamedValue(value *driver.NamedValue) error { return checkValue(value) }

// checkValue stores JSON as text; as bytes it would be a blob, which SQLite takes
// for its own binary form of JSON (https://sqlite.org/json1.html#jsonb). Moments are
// kept as on PostgreSQL. It leaves the rest to database/sql.
func checkValue(value *driver.NamedValue) error {
	cutTime(value)
	if jsonAsText(value) {
		return nil
	}
	return driver.ErrSkip
}

func (c *sqliteConnection) BeginTx(ctx context.Context, opts driver.TxOptions) (tx driver.Tx, err error) {
	err = c.patience.whileBusy(ctx, func(ctx context.Context) error {
		tx, err = c.sqliteConn.BeginTx(ctx, opts)
		return err
	})
	return tx, err
}

// patience is how long a statement waits for another process to let go of the file.
type patience time.Duration

// finish runs a statement, which goes on after the end of ctx if it may write.
func (p patience) finish(ctx context.Context, query string, run func(context.Context) error) error {
	if kindOf(query) == read {
		return p.whileBusy(ctx, run)
	}
	toTheEnd := func(ctx context.Context) error { return run(context.WithoutCancel(ctx)) }
	if isScript(query) {
		return toTheEnd(ctx) // its first part may be done when a later one finds the file busy
	}
	return p.whileBusy(ctx, toTheEnd)
}

// whileBusy runs a statement again for as long as another process holds the file,
// until patience is over or ctx ends. SQLite has then done nothing.
func (p patience) whileBusy(ctx context.Context, run func(context.Context) error) error {
	until := time.Now().Add(time.Duration(p))
	for {
		err := run(ctx)
		code := sqliteCode(err)
		if code != sqlite3.SQLITE_BUSY && code != sqlite3.SQLITE_BUSY_RECOVERY || time.Now().After(until) {
			return err
		}
		if !sleep(ctx, 5*time.Millisecond) {
			return ctx.Err()
		}
	}
}

package database

import (
	"context"
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"records/migrate/counts"
)

// pqConn is what lib/pq's connection offers to database/sql.
type pqConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.ExecerContext
	driver.NamedValueChecker
	driver.Pinger
	driver.QueryerContext
	driver.SessionResetter
	driver.Validator
}

// connection is a session with a PostgreSQL server. It adds to lib/pq's that
// every operation ends with its context, and that a lost reply is told apart from
// a statement that never left. Like all of driver's types it serves one goroutine
// at a time.
type connection struct {
	pqConn
	socket   *socket
	prepared *prepared // nil: statements are sent as they are
	counted  []string  // see Options.Counted
	confined *confined // nil: row-level security is not asked for
	inTx     bool
	reading  bool // the rows of a statement are not closed yet
	broken   bool // after anything but an ordinary refusal by the server

	unreplicated bool        // the server committed without the standby that it waited for
	leave        func() bool // has the connection outlive its host's term; nil with one host
	watch        *watch      // nil with one host
	asked        time.Time   // when the server was last asked whether it is the primary
}

func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	stmt, err := c.statement(ctx, query, args)
	if err != nil {
		return nil, err
	}
	if stmt != nil {
		result, err := stmt.ExecContext(ctx, args)
		if err == nil || !c.outdated(ctx, query, err) {
			return result, err
		}
	}
	return c.exec(ctx, query, args)
}

func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	stmt, err := c.statement(ctx, query, args)
	if err != nil {
		return nil, err
	}
	if stmt != nil {
		rows, err := stmt.QueryContext(ctx, args)
		if err == nil || !c.outdated(ctx, query, err) {
			return rows, err
		}
	}
	return c.query(ctx, query, args)
}

// exec sends a statement as it is.
func (c *connection) exec(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	op, err := c.begin(ctx, !c.inTx && kindOf(query) != read)
	if err != nil {
		return nil, err
	}
	result, err := c.pqConn.ExecContext(ctx, counts.Itself(query, c.counted), args)
	c.loosened(query)
	return result, op.end(err)
}

// query sends a statement as it is.
func (c *connection) query(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	op, err := c.begin(ctx, !c.inTx && kindOf(query) != read)
	if err != nil {
		return nil, err
	}
	result, err := c.pqConn.QueryContext(ctx, query, args)
	c.loosened(query)
	if err != nil {
		return nil, op.end(err)
	}
	return newRows(result, op), nil
}

func (c *connection) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	op, err := c.begin(ctx, false)
	if err != nil {
		return nil, err
	}
	stmt, err := c.pqConn.PrepareContext(ctx, counts.Itself(query, c.counted))
	if err := op.end(err); err != nil {
		return nil, err
	}
	if inner, ok := stmt.(pqStmt); ok {
		return &statement{pqStmt: inner, c: c, kind: kindOf(query)}, nil
	}
	return stmt, nil // COPY, which lib/pq speaks on its own
}

func (c *connection) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	op, err := c.begin(ctx, false)
	if err != nil {
		return nil, err
	}
	tx, err := c.pqConn.BeginTx(ctx, opts)
	if err != nil {
		err = op.end(err)
		if pq.As(err, pqerror.FeatureNotSupported) != nil {
			return nil, c.takesNoWrites(err) // lib/pq says READ WRITE, which there is not in recovery
		}
		return nil, err
	}
	c.inTx = true
	return &transaction{inner: tx, op: op, readOnly: opts.ReadOnly}, nil
}

func (c *connection) Ping(ctx context.Context) error {
	op, err := c.begin(ctx, false)
	if err != nil {
		return err
	}
	return op.end(c.pqConn.Ping(ctx))
}

// CheckNamedValue sends JSON as text, for bytes go out in binary and the binary
// form of jsonb is another one.
func (c *connection) CheckNamedValue(value *driver.NamedValue) error {
	cutTime(value)
	if jsonAsText(value) {
		return nil
	}
	return c.pqConn.CheckNamedValue(value)
}

// cutTime cuts off what PostgreSQL does not keep of a moment: it would round it, so
// that what is read is later than what was written.
func cutTime(value *driver.NamedValue) {
	if t, ok := value.Value.(time.Time); ok {
		value.Value = t.Truncate(time.Microsecond)
	}
}

// jsonAsText makes JSON, which Ent hands over as json.RawMessage, a string. It
// reports whether the value is JSON.
func jsonAsText(value *driver.NamedValue) bool {
	doc, ok := value.Value.(json.RawMessage)
	if ok = ok && doc != nil; ok {
		value.Value = string(doc)
	}
	return ok
}

// IsValid is asked before the connection goes back to the pool.
func (c *connection) IsValid() bool {
	return !c.broken && c.socket.usable() && c.pqConn.IsValid()
}

// ResetSession is asked before the connection is taken from the pool again. It
// looks whether the server has closed it meanwhile: a write on such a connection
// would be lost, and its outcome a riddle.
func (c *connection) ResetSession(ctx context.Context) error {
	if !c.IsValid() || !quiet(c.socket.Conn) || !c.stillPrimary(ctx) {
		return driver.ErrBadConn
	}
	return c.pqConn.ResetSession(ctx)
}

// takesNoWrites gives up a connection whose server has refused to write, as a standby
// does. Nothing was done: outside of a transaction database/sql may send the statement
// again, on another connection.
func (c *connection) takesNoWrites(err error) error {
	c.broken = true
	if c.inTx {
		return err
	}
	return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
}

// Close ends the session.
func (c *connection) Close() error {
	if c.leave != nil {
		c.leave()
	}
	return c.pqConn.Close()
}

// notice hears what the server says beside its answers. Who cancels a commit that
// waits for a synchronous standby is answered as if it were done, and told in a
// warning that it is done on this server alone. Its code is that of any warning and
// its text is translated; the server's own function is named as it is.
func (c *connection) notice(n *pq.Error) {
	if n.Routine == "SyncRepWaitForLSN" {
		c.unreplicated = true
	}
}

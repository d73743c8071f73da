package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// operation is one exchange with the server, from its first byte to the end of
// its reply, or of its transaction. While it lasts its context governs the socket.
type operation struct {
	c      *connection
	ctx    context.Context
	effect bool  // it may change something that outlives a lost connection
	sent   int64 // what the socket had written when it began
	stop   func() bool
}

// errReading is a fault of ours: a transaction has one connection, and lib/pq would
// take the rest of the rows for the answer to a prepared statement.
var errReading = errors.New("a statement was to be sent while the rows of another are read")

// begin starts an operation, unless its context has ended, or the connection is
// broken or at work: then nothing is sent. In a transaction nothing has effect but the commit.
func (c *connection) begin(ctx context.Context, effect bool) (*operation, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if !c.IsValid() {
		return nil, driver.ErrBadConn
	}
	if c.reading {
		return nil, errReading
	}
	if c.confined != nil {
		if err := c.confine(ctx); err != nil {
			return nil, err
		}
	}
	return c.start(ctx, effect), nil
}

func (c *connection) start(ctx context.Context, effect bool) *operation {
	c.watch.begin()
	return &operation{
		c:      c,
		ctx:    ctx,
		effect: effect,
		sent:   c.socket.written.Load(),
		stop:   context.AfterFunc(ctx, c.socket.expire),
	}
}

// end finishes an operation and returns what err means. It is called once.
func (o *operation) end(err error) error {
	o.c.watch.end()
	if !o.stop() {
		o.c.socket.expire() // not left to a goroutine that may come too late
	}
	return o.judge(err)
}

// judge turns what lib/pq reports into what happened:
//
//   - the server refused the statement: its own error, joined with the context's
//     if it was cancelled
//   - it refused to write, as a standby does: the same, as a driver.ErrBadConn unless
//     in a transaction
//   - a synchronous standby has not confirmed it: an ErrOutcomeUnknown
//   - nothing was sent: err as it is; driver.ErrBadConn lets database/sql repeat it
//   - the reply was lost and the statement has no effect of its own: a
//     driver.ErrBadConn, to the same end
//   - the reply was lost and it may have had effect: an ErrOutcomeUnknown
func (o *operation) judge(err error) error {
	if o.c.unreplicated {
		o.c.broken = true
		return outcomeUnknown(o.ctx, errUnreplicated)
	}
	if err == nil {
		return nil
	}
	if pq.As(err, pqerror.ReadOnlySQLTransaction) != nil {
		return o.c.takesNoWrites(err)
	}
	if refused(err) {
		if pq.As(err, pqerror.QueryCanceled) != nil && o.ctx.Err() != nil {
			return fmt.Errorf("%w: %w", o.ctx.Err(), err)
		}
		return err
	}
	o.c.broken = true
	switch {
	case o.c.socket.written.Load() == o.sent:
		return err
	case o.effect:
		return outcomeUnknown(o.ctx, err)
	case o.ctx.Err() != nil:
		return fmt.Errorf("%w: %w", o.ctx.Err(), err)
	case errors.Is(err, driver.ErrBadConn):
		return err
	}
	return fmt.Errorf("%w: %w", driver.ErrBadConn, err)
}

// refused reports whether err is the server's answer to a statement: it was not
// carried out, and the session goes on. A server that closes the session may have
// carried it out just before.
func refused(err error) bool {
	if errors.Is(err, pq.ErrInFailedTransaction) {
		return true
	}
	e := pq.As(err)
	if e == nil || e.Fatal() || e.Severity == pqerror.SeverityPanic {
		return false
	}
	switch e.Code { // severities are translated by the server, codes are not
	case pqerror.AdminShutdown, pqerror.CrashShutdown, pqerror.CannotConnectNow,
		pqerror.DatabaseDropped, pqerror.IdleSessionTimeout,
		pqerror.IdleInTransactionSessionTimeout, pqerror.TransactionTimeout:
		return false
	}
	return true
}

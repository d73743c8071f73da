package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	entsql "entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// repeatWindow bounds the repeats of a statement altogether, back-off included.
const repeatWindow = 3 * time.Second

// backoff is the wait before each repeat: a cut connection is replaced at once, a
// server that starts again takes longer.
var backoff = []time.Duration{10 * time.Millisecond, 100 * time.Millisecond, 400 * time.Millisecond, time.Second}

// errNothingLeft is what a repeat that found no row tells: nothing.
var errNothingLeft = fmt.Errorf("%w: when repeated it found no row to change", ErrOutcomeUnknown)

// repeat sends a write of unknown outcome again until the database accepts or
// refuses it. If it does neither in time, or the context ends, the outcome stays
// unknown.
func repeat(ctx context.Context, cause error, send func(context.Context) error) error {
	window, cancel := context.WithTimeout(ctx, repeatWindow)
	defer cancel()
	for _, wait := range backoff {
		if !sleep(window, wait) {
			break
		}
		err := send(window)
		if !IsUnavailable(err) || errors.Is(err, errUnreplicated) {
			return err
		}
		cause = err
	}
	if errors.Is(cause, ErrOutcomeUnknown) && (ctx.Err() == nil || errors.Is(cause, ctx.Err())) {
		return cause
	}
	return outcomeUnknown(ctx, cause)
}

// isBroken reports whether the connection of a statement broke.
func isBroken(err error) bool { return errors.Is(err, driver.ErrBadConn) }

// hasGivenWay reports whether PostgreSQL undid a statement because others were in its
// way: they waited for one another, or their order would have mattered.
func hasGivenWay(err error) bool {
	return err != nil && pq.As(err, pqerror.TRDeadlockDetected, pqerror.TRSerializationFailure) != nil
}

// repeatWhile sends a statement again that has had no effect, for such a reason.
func repeatWhile(ctx context.Context, reason func(error) bool, err error, send func(context.Context) error) error {
	for _, wait := range backoff {
		if !reason(err) || !sleep(ctx, wait) {
			break
		}
		err = send(ctx)
	}
	return err
}

// sleep waits, and reports whether ctx still goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// uncounted is the result of an INSERT that was seen to be there.
type uncounted struct{}

func (uncounted) LastInsertId() (int64, error) {
	return 0, errors.New("PostgreSQL has no LastInsertId")
}

func (uncounted) RowsAffected() (int64, error) {
	return 0, errors.New("the reply that held the number of rows was lost")
}

// repeatedRows are the rows of a repeated UPDATE or DELETE … RETURNING.
type repeatedRows struct {
	entsql.ColumnScanner
	any bool
}

func (r *repeatedRows) Next() bool {
	next := r.ColumnScanner.Next()
	r.any = r.any || next
	return next
}

func (r *repeatedRows) Err() error {
	if err := r.ColumnScanner.Err(); err != nil || r.any {
		return err
	}
	return errNothingLeft
}

// writtenRows are the rows of a write. They come before its commit: where the context
// ends before they are read to their end, database/sql tells of that alone.
type writtenRows struct {
	entsql.ColumnScanner
	ctx context.Context
}

func (r *writtenRows) Columns() ([]string, error) {
	columns, err := r.ColumnScanner.Columns()
	return columns, r.judge(err)
}

func (r *writtenRows) Err() error { return r.judge(r.ColumnScanner.Err()) }

func (r *writtenRows) judge(err error) error {
	if err == nil || r.ctx.Err() == nil || errors.Is(err, ErrOutcomeUnknown) || pq.As(err) != nil {
		return err
	}
	return outcomeUnknown(r.ctx, err)
}

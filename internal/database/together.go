package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// Writes that wait for their turn are committed together, for most of what a write
// costs is the commit: the log is written and forced to the disk. Who holds the
// turn runs those of the others with its own, in their order, in one transaction
// of at most so many writes, and takes up none after so long, as another process
// may wait for the file.
const (
	togetherMost = 64
	togetherLong = 10 * time.Millisecond
)

// errUndone is told by a write that was undone because of another.
var errUndone = errors.New("the write was undone with others in the same transaction")

// errBrokenOff stands for a panic in one of the writes.
var errBrokenOff = errors.New("a write broke off")

// write is one INSERT, UPDATE or DELETE outside a transaction, and its outcome.
type write struct {
	ctx    context.Context // until it has begun
	query  string
	args   []driver.NamedValue
	result driver.Result
	rows   *memoryRows // what it returned, if it was asked for
	wanted bool        // rows are asked for
	err    error
}

// lead runs a write by who holds the turn, together with those in line behind it.
// One that is alone commits by itself, and waits for nobody.
func (w *sqliteWriter) lead(first *write) {
	c, err := w.connection(first.ctx)
	if err != nil {
		first.err = err
		return
	}
	if w.turn.waiting() {
		w.together(c, first)
		return
	}
	first.run(first.ctx, c)
	first.err = committed(first.err)
}

// together runs first and what stands in line in one transaction. Nothing leaves
// the line before the transaction has begun, for which another process may have to
// be waited for. Each write has its own outcome, which nobody learns before the
// commit.
func (w *sqliteWriter) together(c *sqliteConnection, first *write) {
	if first.err = w.begin(first.ctx, c); first.err != nil {
		return
	}
	writes, places := []*write{first}, []*place(nil)
	over := errBrokenOff
	defer func() { // also if a write panics
		if over != nil {
			w.undo(c)
		}
		for _, done := range writes {
			if done.err == nil {
				done.err = undone(over)
			}
		}
		for _, p := range places {
			p.ready <- false
		}
	}()
	for begun := time.Now(); ; {
		last := writes[len(writes)-1]
		last.run(last.ctx, c)
		if last.err != nil && (c.rolledBack || !ownFault(last.err)) {
			over = last.err
			return
		}
		if len(writes) == togetherMost || time.Since(begun) > w.long {
			break
		}
		p := w.turn.next()
		if p == nil {
			break
		}
		writes, places = append(writes, p.write), append(places, p)
	}
	over = w.commit(c)
}

// run does the write, unless its context has ended before.
func (w *write) run(ctx context.Context, c *sqliteConnection) {
	if w.err = ctx.Err(); w.err != nil {
		return
	}
	if !w.wanted {
		w.result, w.err = c.ExecContext(ctx, w.query, w.args)
		return
	}
	rows, err := c.QueryContext(ctx, w.query, w.args)
	if err != nil {
		w.err = err
		return
	}
	w.rows, w.err = readAll(rows)
}

// ownFault reports whether a write failed by itself and left those before it in the
// transaction as they were. After any other error nothing of it can be relied on.
func ownFault(err error) bool {
	switch sqliteCode(err) & 0xff {
	case sqlite3.SQLITE_OK, // the context's end, or an argument that cannot be bound
		sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG:
		return true
	}
	return false
}

// undone is what over means to a write that was done by then. It is another's
// fault: to this one the database was not available.
func undone(over error) error {
	if over == nil || errors.Is(over, ErrOutcomeUnknown) {
		return over
	}
	return fmt.Errorf("%w: %v", errUndone, over) //nolint:errorlint // whose code says what is wrong with another write
}

// committed judges the error of what commits. The log may be on the disk, although
// the disk did not say so.
func committed(err error) error {
	if sqliteCode(err) == sqlite3.SQLITE_IOERR_FSYNC {
		return outcomeUnknown(context.Background(), err)
	}
	return err
}

// memoryRows are the rows that a write returned, read before it was committed.
type memoryRows struct {
	columns []string
	values  []driver.Value // of one row after the other
}

// readAll reads rows to their end, and so ends the statement.
func readAll(rows driver.Rows) (*memoryRows, error) {
	all := &memoryRows{columns: rows.Columns()}
	for n := len(all.columns); ; {
		all.values = append(all.values, make([]driver.Value, n)...)
		err := rows.Next(all.values[len(all.values)-n:])
		if err == nil {
			continue
		}
		all.values = all.values[:len(all.values)-n]
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return all, errors.Join(err, rows.Close())
	}
}

// Columns implements driver.Rows.
func (r *memoryRows) Columns() []string { return r.columns }

// Close implements driver.Rows.
func (*memoryRows) Close() error { return nil }

// Next implements driver.Rows.
func (r *memoryRows) Next(dest []driver.Value) error {
	if len(r.values) == 0 {
		return io.EOF
	}
	r.values = r.values[copy(dest, r.values):]
	return nil
}

package database

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// turn is the right to write, which one goroutine holds at a time. A channel
// serves those that wait in the order in which they came; database/sql, which
// would queue them otherwise, picks one at random.
type turn chan struct{}

// take waits for the turn until ctx ends. It goes to the next with the first call
// of give, or when ctx ends.
func (t turn) take(ctx context.Context) (give func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	select {
	case t <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	once := sync.OnceFunc(func() { <-t })
	stop := context.AfterFunc(ctx, once)
	return func() { stop(); once() }, nil
}

// writingTx is a transaction that holds the turn.
type writingTx struct {
	dialect.Tx
	give func()
}

func (tx *writingTx) Commit() error {
	defer tx.give()
	return tx.Tx.Commit()
}

func (tx *writingTx) Rollback() error {
	defer tx.give()
	return tx.Tx.Rollback()
}

// writtenRows are what a writing query returns. It holds the turn until then.
type writtenRows struct {
	entsql.ColumnScanner
	ctx  context.Context
	give func()
}

// Next passes the turn on after the last row, when the write is committed.
func (r *writtenRows) Next() bool {
	if r.ColumnScanner.Next() {
		return true
	}
	r.give()
	return false
}

func (r *writtenRows) Close() error {
	defer r.give()
	return r.ColumnScanner.Close()
}

// Err returns an ErrOutcomeUnknown if the context ended between the write and the
// reading of its rows.
func (r *writtenRows) Err() error {
	err := r.ColumnScanner.Err()
	if err != nil && r.ctx.Err() != nil && errors.Is(err, r.ctx.Err()) {
		return fmt.Errorf("%w: %w", ErrOutcomeUnknown, err)
	}
	return err
}

package database

import "database/sql/driver"

// transaction is a transaction of PostgreSQL. The context that it began with
// governs all of it: Commit and Rollback take none of their own.
type transaction struct {
	inner    driver.Tx
	op       *operation
	readOnly bool
}

// Commit returns an ErrOutcomeUnknown if it was sent and its reply lost.
func (t *transaction) Commit() error {
	return t.finish(t.inner.Commit, !t.readOnly)
}

func (t *transaction) Rollback() error {
	return t.finish(t.inner.Rollback, false)
}

func (t *transaction) finish(last func() error, effect bool) error {
	t.op.c.inTx = false
	t.op.c.confined.ended()
	t.op.effect = effect
	t.op.sent = t.op.c.socket.written.Load()
	t.op.c.watch.begin()
	return t.op.end(last())
}

package migrate

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"time"

	"records/migrate/script"
)

// inPostgres runs a migration in its transaction. What it has locked it holds until
// the end, while it waits for more: all of its statements together wait no longer
// than lock_timeout.
func (u *up) inPostgres(ctx context.Context, tx *sql.Tx, m migration) error {
	failed := func(statement *script.Statement, err error, holder string) error {
		return &Failure{Migration: m.Name, Statement: statement, Holder: holder, Left: leftNothing, Cause: err}
	}
	watch, err := u.watch(ctx, tx, u.options.LockTimeout)
	if err != nil {
		return failed(nil, err, "")
	}
	defer watch.stop()
	for _, statement := range m.Statements {
		if err := unhurried(ctx, tx, watch.left(), true); err != nil {
			return failed(nil, err, "")
		}
		on := On{Migration: m.Name, Statement: statement, Session: tx, Pool: u.pool}
		err := u.options.Around(ctx, on, func() (sql.Result, error) { return tx.ExecContext(ctx, statement.Text) })
		if err := watch.judge(err); err != nil {
			return failed(&statement, err, watch.holder(err))
		}
	}
	if err := unhurried(ctx, tx, watch.left(), true); err != nil {
		return failed(nil, err, "")
	}
	return keep(ctx, tx, m, u.breaks(m))
}

// alone runs a migration of one statement outside of a transaction, and repairs
// what an interrupted try has left of it.
//
// One that is CONCURRENTLY waits without holding up traffic, and starts from the
// beginning if it is interrupted, so that it waits for the whole of patience.
func (u *up) alone(ctx context.Context, pool *sql.DB, m migration) error {
	statement := &m.Statements[0]
	patient := slices.ContainsFunc(statement.Tokens, func(t script.Token) bool { return t.Is("concurrently") })
	failed := func(err error, holder string) error {
		return &Failure{Migration: m.Name, Statement: statement, Holder: holder, Left: leftPerhaps, Final: patient, Cause: err}
	}
	wait := u.options.LockTimeout
	if patient {
		wait = u.options.Patience
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return failed(err, "")
	}
	defer conn.Close()
	if err := unhurried(ctx, conn, wait, false); err != nil {
		return failed(err, "")
	}
	watch, err := u.watch(ctx, conn, 0)
	if err != nil {
		return failed(err, "")
	}
	defer watch.stop()
	done, err := u.repair(ctx, conn, *statement)
	if err == nil && !done {
		on := On{Migration: m.Name, Statement: *statement, Session: conn, Pool: u.pool, Alone: true}
		err = u.options.Around(ctx, on, func() (sql.Result, error) { return conn.ExecContext(ctx, statement.Text) })
	}
	if err != nil {
		return failed(err, watch.holder(err))
	}
	return keep(ctx, conn, m, u.breaks(m))
}

// unhurried sets for how long a statement waits for a lock, and lifts the limits
// on how long it runs, which the URL, the role or the server may set. Those that
// this version of PostgreSQL does not have are left out.
func unhurried(ctx context.Context, db Session, lockTimeout time.Duration, local bool) error {
	_, err := db.ExecContext(ctx, fmt.Sprintf(`SELECT set_config(name, CASE name WHEN 'lock_timeout' THEN '%d' ELSE '0' END, %t) FROM pg_settings
		WHERE name IN ('lock_timeout', 'statement_timeout', 'transaction_timeout', 'idle_in_transaction_session_timeout')`,
		max(1, lockTimeout.Milliseconds()), local))
	return err
}

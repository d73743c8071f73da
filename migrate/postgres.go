package migrate

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"records/internal/database"
)

// inPostgres runs a migration in its transaction.
func (u *up) inPostgres(ctx context.Context, tx *sql.Tx, m migration) error {
	if err := unhurried(ctx, tx, u.options.LockTimeout, true); err != nil {
		return &Failure{Migration: m.Name, Left: leftNothing, Cause: err}
	}
	watch, err := u.watch(ctx, tx)
	if err != nil {
		return &Failure{Migration: m.Name, Left: leftNothing, Cause: err}
	}
	defer watch.stop()
	for _, statement := range m.Statements {
		on := On{Migration: m.Name, Statement: statement, Session: tx, Pool: u.pool}
		err := u.options.Around(ctx, on, func() (sql.Result, error) { return tx.ExecContext(ctx, statement.Text) })
		if err != nil {
			return &Failure{Migration: m.Name, Statement: &statement, Holder: watch.holder(err), Left: leftNothing, Cause: err}
		}
	}
	return keep(ctx, tx, m, u.breaks(m))
}

// alone runs a migration of one statement outside of a transaction, and repairs
// what an interrupted try has left of it.
//
// Such a statement waits without holding up traffic, and starts from the
// beginning if it is interrupted, so that it waits for the whole of patience.
func (u *up) alone(ctx context.Context, pool *sql.DB, m migration) error {
	statement := &m.Statements[0]
	failed := func(err error, holder string) error {
		return &Failure{Migration: m.Name, Statement: statement, Holder: holder, Left: leftPerhaps, Final: true, Cause: err}
	}
	conn, err := pool.Conn(ctx)
	if err != nil {
		return failed(err, "")
	}
	defer conn.Close()
	if err := unhurried(ctx, conn, u.options.Patience, false); err != nil {
		return failed(err, "")
	}
	watch, err := u.watch(ctx, conn)
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

// watcher looks at what a session waits for. When its lock times out, the wait is
// gone and with it the answer, so that it looks meanwhile.
type watcher struct {
	cancel context.CancelFunc
	done   chan struct{}
	seen   string
}

// watch begins to look at the session of db, from a connection of its own.
func (u *up) watch(ctx context.Context, db Session) (*watcher, error) {
	var pid int
	if err := db.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &watcher{cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(w.done)
		every := time.NewTicker(max(u.options.LockTimeout/4, 20*time.Millisecond))
		defer every.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-every.C:
			}
			if seen := blockers(ctx, u.pool, pid); seen != "" {
				w.seen = seen
			}
		}
	}()
	return w, nil
}

func (w *watcher) stop() { w.cancel(); <-w.done }

// holder returns who held what the statement waited for, if that is why it failed
// and was seen.
func (w *watcher) holder(err error) string {
	w.stop()
	if !database.IsHeldUp(err) {
		return ""
	}
	return w.seen
}

// blockers says in a sentence what a session waits for and who holds it, "" if it
// does not wait or that cannot be seen.
func blockers(ctx context.Context, db *sql.DB, pid int) string {
	rows, err := db.QueryContext(ctx, `
		SELECT w.mode, COALESCE(w.relation::regclass::text, ''), b.pid, COALESCE(b.usename, ''), COALESCE(b.application_name, ''),
			COALESCE(b.state, ''), COALESCE(extract(epoch FROM clock_timestamp() - b.xact_start)::bigint, 0), left(COALESCE(b.query, ''), 100)
		FROM pg_locks w CROSS JOIN LATERAL unnest(pg_blocking_pids(w.pid)) AS blocking(pid) JOIN pg_stat_activity b ON b.pid = blocking.pid
		WHERE w.pid = $1 AND NOT w.granted ORDER BY b.xact_start LIMIT 3`, pid)
	if err != nil {
		return ""
	}
	defer rows.Close()
	said := ""
	for rows.Next() {
		var mode, relation, user, application, state, query string
		var holder, seconds int64
		if rows.Scan(&mode, &relation, &holder, &user, &application, &state, &seconds, &query) != nil {
			return said
		}
		if said == "" {
			said = "it waited for " + mode + " on " + relation + ", held by "
			if relation == "" {
				said = "it waited for the end of a transaction, by "
			}
		} else {
			said += " and by "
		}
		said += fmt.Sprintf("session %d (user %s, application %q, %s, in a transaction for %s, last statement: %s)",
			holder, user, application, state, time.Duration(seconds)*time.Second, query)
	}
	if rows.Err() != nil {
		return ""
	}
	return said
}

package migrate

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"time"
)

// watcher looks at a session from outside: for how long it waits for locks, and who
// holds them. When a lock times out, the wait is gone and with it the answer, so
// that it looks meanwhile.
type watcher struct {
	cancel context.CancelFunc
	done   chan struct{}
	seen   string
	budget time.Duration // for all waiting, 0 without limit
	waited atomic.Int64  // nanoseconds
	ended  atomic.Bool   // it has ended a statement, since the budget was used up
}

// watch begins to look at the session of db, from a connection of its own, a
// twentieth of lock_timeout apart: so exact is what it knows of the waiting.
func (u *up) watch(ctx context.Context, db Session, budget time.Duration) (*watcher, error) {
	var pid int
	if err := db.QueryRowContext(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	w := &watcher{cancel: cancel, done: make(chan struct{}), budget: budget}
	every := min(max(u.options.LockTimeout/20, 5*time.Millisecond), 250*time.Millisecond)
	go func() {
		defer close(w.done)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for last := time.Now(); ; {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			now := time.Now()
			if waits(ctx, u.pool, pid) {
				w.look(ctx, u.pool, pid, now.Sub(last), every)
			}
			last = now
		}
	}()
	return w, nil
}

// look notes that the session has waited again, and for whom. It ends a statement
// that waits for several locks, one after the other, past the budget: lock_timeout
// holds for each of them.
func (w *watcher) look(ctx context.Context, pool *sql.DB, pid int, more, every time.Duration) {
	waited := time.Duration(w.waited.Add(int64(more)))
	if seen := blockers(ctx, pool, pid); seen != "" {
		w.seen = seen
	}
	if w.budget > 0 && waited > w.budget+2*every {
		w.ended.Store(true)
		_, _ = pool.ExecContext(ctx, "SELECT pg_cancel_backend($1)", pid)
	}
}

func (w *watcher) stop() { w.cancel(); <-w.done }

// left is what is left of the budget.
func (w *watcher) left() time.Duration { return w.budget - time.Duration(w.waited.Load()) }

// judge returns the error of a statement, a *waitedError if the watcher has ended
// it, also where that came too late.
func (w *watcher) judge(err error) error {
	if w.ended.Load() && !heldUp(err) {
		return &waitedError{w.budget}
	}
	return err
}

// holder returns who held what the statement waited for, if that is why it failed
// and was seen.
func (w *watcher) holder(err error) string {
	w.stop()
	if !heldUp(err) {
		return ""
	}
	return w.seen
}

// waitedError says that the locks of a migration were not to be had in time.
type waitedError struct{ limit time.Duration }

func (e *waitedError) Error() string {
	return fmt.Sprintf("it waited for several locks, for longer than the lock timeout of %s in all", e.limit)
}

// waits reports whether a session waits for a lock.
func waits(ctx context.Context, db *sql.DB, pid int) (waiting bool) {
	err := db.QueryRowContext(ctx, "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = $1 AND wait_event_type IS NOT NULL", pid).Scan(&waiting)
	return err == nil && waiting
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

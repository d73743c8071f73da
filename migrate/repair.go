package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"records/migrate/script"
)

// repair clears away what an interrupted try has left of a statement that runs
// outside of a transaction, and reports whether the statement is done already.
func (u *up) repair(ctx context.Context, conn *sql.Conn, statement script.Statement) (done bool, err error) {
	if index, ok := statement.CreatesIndex(); ok {
		return u.repairIndex(ctx, conn, index)
	}
	if name, ok := statement.Drops("index"); ok {
		_, found, err := lookUp(ctx, conn, name)
		return err == nil && !found, err
	}
	return false, nil
}

// repairIndex drops an index that an interrupted build has left invalid. A valid
// one is the work of a try that ended between the work and the bookkeeping.
func (u *up) repairIndex(ctx context.Context, conn *sql.Conn, wanted script.Index) (done bool, err error) {
	if err := u.awaitBuilder(ctx, conn, wanted.Name); err != nil {
		return false, err
	}
	found, exists, err := lookUp(ctx, conn, wanted.Name)
	if err != nil || !exists {
		return false, err
	}
	if found.table != wanted.Table || found.unique != wanted.Unique {
		return false, fmt.Errorf("there is another index %s, on %s: drop or rename it", wanted.Name, found.table)
	}
	if found.valid {
		return true, nil
	}
	u.options.Say("the index " + wanted.Name + " was left invalid by an interrupted build: it is dropped and built again")
	_, err = conn.ExecContext(ctx, "DROP INDEX CONCURRENTLY "+script.Quote(wanted.Name))
	return false, err
}

// awaitBuilder waits while another session builds the index: that of a process
// which was killed goes on, and may finish the work.
func (u *up) awaitBuilder(ctx context.Context, conn *sql.Conn, name string) error {
	const every = 500 * time.Millisecond
	for said := false; ; said = true {
		var pid int
		err := conn.QueryRowContext(ctx, "SELECT pid FROM pg_stat_progress_create_index WHERE index_relid = to_regclass($1) AND pid <> pg_backend_pid() LIMIT 1",
			script.Quote(name)).Scan(&pid)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if !said {
			u.options.Say(fmt.Sprintf("session %d still builds the index %s: waiting for it", pid, name))
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(every):
		}
	}
}

type foundIndex struct {
	table         string
	valid, unique bool
}

// lookUp finds an index by its name.
func lookUp(ctx context.Context, conn *sql.Conn, name string) (found foundIndex, exists bool, err error) {
	err = conn.QueryRowContext(ctx, `SELECT t.relname, i.indisvalid, i.indisunique FROM pg_index i JOIN pg_class t ON t.oid = i.indrelid
		WHERE i.indexrelid = to_regclass($1)`, script.Quote(name)).Scan(&found.table, &found.valid, &found.unique)
	if errors.Is(err, sql.ErrNoRows) {
		return found, false, nil
	}
	return found, err == nil, err
}

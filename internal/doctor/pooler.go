package doctor

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"records/internal/database"
)

// poolerTimeout is how long the look at a pooler takes at most, if all its sessions
// are in use.
const poolerTimeout = 5 * time.Second

// PostgreSQL's codes for a prepared statement that a session lacks, and for a
// connection that there is no room for.
const (
	notPrepared = "26000"
	noRoom      = "53300"
)

// sessionsAreOnesOwn looks whether what a connection prepares is still there when it
// is used: a pooler that shares sessions between transactions, such as PgBouncer, gives
// the next one to another session.
func sessionsAreOnesOwn(ctx context.Context, d Deployment) ([]Fault, error) {
	if !d.isPostgres() || d.Config.Database.StatementCache == 0 {
		return nil, nil
	}
	lost, err := losesStatements(ctx, d.DB)
	if err != nil || !lost {
		return nil, err
	}
	return []Fault{{
		Check:  "pooler",
		What:   "database.statement_cache is on, and a pooler in front of the server shares its sessions among connections.",
		Why:    "Statements are prepared in vain, and a transaction on a new connection can fail.",
		Remedy: "Set database.statement_cache=0, or pool_mode=session, or let PgBouncer (1.21 or later) keep them by max_prepared_statements.",
	}}, nil
}

// losesStatements prepares a statement on one connection, occupies the session that it
// was prepared on from another, and uses it.
func losesStatements(ctx context.Context, db *database.DB) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, poolerTimeout)
	defer cancel()
	pool, err := db.Apart(0)
	if err != nil {
		return false, err
	}
	defer pool.Close()
	const which = "SELECT pg_backend_pid()"
	one, err := pool.Conn(ctx)
	if err != nil {
		return false, ignore(err, noRoom)
	}
	defer one.Close()
	kept, err := one.PrepareContext(ctx, which)
	if err != nil {
		return false, err
	}
	defer kept.Close()
	var session, other int
	if err := kept.QueryRowContext(ctx).Scan(&session); err != nil {
		return database.SQLState(err) == notPrepared, ignore(err, notPrepared)
	}
	for range 3 { // one of them gets that session, if it is to be had
		tx, err := pool.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
		if err != nil {
			return false, ignore(ignore(err, notPrepared), noRoom)
		}
		defer tx.Rollback() //nolint:gocritic // three at most, and all are held until the end
		if err := tx.QueryRowContext(ctx, which).Scan(&other); err != nil {
			return false, err
		}
		if other == session {
			err := kept.QueryRowContext(ctx).Scan(&other)
			return database.SQLState(err) == notPrepared, ignore(err, notPrepared)
		}
	}
	return false, nil
}

// ignore drops an error of a code, and that a pooler had no session left: then nothing
// is known.
func ignore(err error, code string) error {
	if database.SQLState(err) == code || errors.Is(err, context.DeadlineExceeded) {
		return nil
	}
	return err
}

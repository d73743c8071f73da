package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// ErrOutcomeUnknown says that a write, or the commit of a transaction, was sent
// and its reply never came: it may have taken effect, or not. It counts as
// unavailable too. Who repeats the write risks doing it twice.
var ErrOutcomeUnknown = errors.New("the database did not confirm the write, which may have taken effect")

// errUnreplicated is a commit that was not waited for to the end.
var errUnreplicated = errors.New("no synchronous standby has confirmed the commit in time")

// errUnreachable marks everything that goes wrong before a connection stands.
var errUnreachable = errors.New("cannot connect to the database")

// IsForeignKeyViolation reports whether a write was refused because it names a
// row that is not there, or removes one that others name.
func IsForeignKeyViolation(err error) bool {
	return pq.As(err, pqerror.ForeignKeyViolation, pqerror.RestrictViolation) != nil ||
		sqliteCode(err) == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// IsUniqueViolation reports whether a write was refused because a row with the
// same key is there already, the primary key included.
func IsUniqueViolation(err error) bool {
	if pq.As(err, pqerror.UniqueViolation) != nil {
		return true
	}
	switch sqliteCode(err) {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return true
	}
	return false
}

// BrokenCheck returns the name of the check of a table that a write would break, ""
// if that is not why it was refused.
func BrokenCheck(err error) string {
	if e := pq.As(err, pqerror.CheckViolation); e != nil {
		return e.Constraint
	}
	if sqliteCode(err) != sqlite3.SQLITE_CONSTRAINT_CHECK {
		return ""
	}
	_, said, _ := strings.Cut(err.Error(), "CHECK constraint failed: ")
	name, _, _ := strings.Cut(said, " ")
	return name
}

// IsUnavailable reports whether the cause of err is the state of the database or
// of the way to it, not the statement: the same statement may succeed later. The
// context's own end counts, for what it cut short was not refused either.
func IsUnavailable(err error) bool {
	for _, cause := range []error{
		ErrOutcomeUnknown, errUnreachable, errUndone, driver.ErrBadConn,
		sql.ErrConnDone, sql.ErrTxDone, // the context ended the transaction
		context.DeadlineExceeded, context.Canceled,
	} {
		if errors.Is(err, cause) {
			return true
		}
	}
	if e := pq.As(err); e != nil {
		return unavailableOnPostgres(e.Code) || IsAltered(err)
	}
	if code := sqliteCode(err); code != sqlite3.SQLITE_OK {
		return unavailableOnSQLite(code) || lacks(err, "no such table: ") || IsAltered(err)
	}
	_, network := errors.AsType[net.Error](err)
	return network
}

// IsAltered reports whether the database is another than the statement is made for, by
// somebody's hand: a column is missing, or the role may not do what it could. A row that
// row-level security refuses has the same code, and is a fault of the statement.
func IsAltered(err error) bool {
	if e := pq.As(err, pqerror.InsufficientPrivilege); e != nil {
		return strings.HasPrefix(e.Routine, "aclcheck_error")
	}
	return pq.As(err, pqerror.UndefinedColumn) != nil || lacks(err, "no such column: ") || lacks(err, " has no column named ")
}

// RefusesParameter reports whether PostgreSQL lets nobody in with a parameter that the URL
// names: it does not know it, or not its value.
func RefusesParameter(err error) bool {
	return errors.Is(err, errUnreachable) && pq.As(err, pqerror.UndefinedObject, pqerror.InvalidParameterValue) != nil
}

// IsHeldUp reports whether a statement was given up because others hold what it
// needs: a lock was not to be had in time, or the SQLite file. It had no effect.
func IsHeldUp(err error) bool {
	return pq.As(err, pqerror.LockNotAvailable, pqerror.TRDeadlockDetected) != nil ||
		sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY
}

// Kinds are what can be the matter with a database that is not available.
var Kinds = [...]string{"outcome_unknown", "held_up", "timeout", "unreachable", "other"}

// Kind tells which of Kinds it is, "" for an error that is not for want of the
// database: also where the caller has gone.
func Kind(err error) string {
	switch {
	case errors.Is(err, ErrOutcomeUnknown):
		return "outcome_unknown"
	case errors.Is(err, context.Canceled) || !IsUnavailable(err):
		return ""
	case IsHeldUp(err):
		return "held_up"
	case errors.Is(err, context.DeadlineExceeded) || pq.As(err, pqerror.QueryCanceled) != nil:
		return "timeout"
	case errors.Is(err, errUnreachable):
		return "unreachable"
	}
	return "other"
}

// IsInUse reports whether others are connected to the database that a statement
// needs for itself.
func IsInUse(err error) bool { return pq.As(err, pqerror.ObjectInUse) != nil }

// Sentence returns what the database said, for an operator: on PostgreSQL with the
// detail, the hint and the code.
func Sentence(err error) string {
	e := pq.As(err)
	if e == nil {
		return err.Error()
	}
	said := e.Message
	for _, more := range []string{e.Detail, e.Hint} {
		if more != "" {
			said += "; " + more
		}
	}
	return said + " (" + string(e.Code) + ")"
}

// SQLState returns PostgreSQL's code of an error, "" if the server did not raise it.
func SQLState(err error) string {
	if e := pq.As(err); e != nil {
		return string(e.Code)
	}
	return ""
}

// unavailableOnPostgres judges an error code of PostgreSQL, whole classes first.
func unavailableOnPostgres(code pqerror.Code) bool {
	if len(code) != 5 {
		return false
	}
	switch code.Class() {
	case pqerror.ClassConnectionException,
		pqerror.ClassInsufficientResources,             // disk, memory, connections
		pqerror.ClassOperatorIntervention,              // starting, stopping, cancelled
		pqerror.ClassSystemError,                       // the server's own input and output
		pqerror.ClassInvalidAuthorizationSpecification: // no session for this user now
		return true
	}
	return slices.Contains([]pqerror.Code{
		pqerror.ReadOnlySQLTransaction, // a standby after a failover
		pqerror.IdleInTransactionSessionTimeout,
		pqerror.TransactionTimeout,
		pqerror.InvalidCatalogName, // the database is being restored
		pqerror.InvalidSchemaName,
		pqerror.UndefinedTable,
		pqerror.TRSerializationFailure,
		pqerror.TRStatementCompletionUnknown,
		pqerror.TRDeadlockDetected,
		pqerror.LockNotAvailable,
	}, code)
}

// unavailableOnSQLite judges a result code of SQLite by its primary part.
func unavailableOnSQLite(code int) bool {
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL,
		sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_IOERR,
		sqlite3.SQLITE_FULL, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT:
		return true
	}
	return false
}

// lacks reports whether SQLite lacks what a statement names, as while the database is
// being restored. It has no code of its own for that.
func lacks(err error, said string) bool {
	return sqliteCode(err) == sqlite3.SQLITE_ERROR && strings.Contains(err.Error(), said)
}

// sqliteCode returns the extended result code in err, SQLITE_OK if there is none.
func sqliteCode(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code()
	}
	return sqlite3.SQLITE_OK
}

// isOwnPrimaryKey reports whether err refused the INSERT in query because its
// primary key is taken. A trigger's key on another table does not count.
func isOwnPrimaryKey(err error, query string) bool {
	e := pq.As(err, pqerror.UniqueViolation)
	return e != nil && strings.HasSuffix(e.Constraint, "_pkey") && strings.Contains(query, `"`+e.Table+`"`)
}

// outcomeUnknown returns an ErrOutcomeUnknown that names its cause, and the end
// of ctx if that came first. driver.ErrBadConn is left out of the chain, for
// database/sql repeats a statement that fails with it.
func outcomeUnknown(ctx context.Context, cause error) error {
	if errors.Is(cause, driver.ErrBadConn) {
		cause = errors.New(cause.Error())
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w: %w: %w", ErrOutcomeUnknown, ctx.Err(), cause)
	}
	return fmt.Errorf("%w: %w", ErrOutcomeUnknown, cause)
}

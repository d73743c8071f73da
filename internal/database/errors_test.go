package database_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/google/uuid"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"

	"records/internal/database"
	"records/internal/dbtest"
)

// The same mistake means the same on both dialects, through Ent's wrapping too.
func TestViolations(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		run(t, db, things)
		id := uuid.New()
		run(t, db, insertThing, id, "one")
		for name, test := range map[string]struct {
			query                           string
			args                            []any
			unique, foreignKey, unavailable bool
		}{
			"primary key":    {insertThing, []any{id, "two"}, true, false, false},
			"unique":         {insertThing, []any{uuid.New(), "one"}, true, false, false},
			"absent parent":  {`INSERT INTO "things" ("id", "parent") VALUES ($1, $2)`, []any{uuid.New(), uuid.New()}, false, true, false},
			"parent in use":  {`DELETE FROM "things" WHERE "name" = $1`, []any{"root"}, false, true, false},
			"no such table":  {`INSERT INTO "nothing" VALUES ($1)`, []any{1}, false, false, true},
			"no such column": {`INSERT INTO "things" ("nothing") VALUES ($1)`, []any{1}, false, false, true},
			"not null":       {`INSERT INTO "notes" ("text") VALUES ($1)`, []any{nil}, false, false, false},
			"malformed text": {`SELEC $1`, []any{1}, false, false, false},
			"check":          {`INSERT INTO "notes" ("text") VALUES ($1)`, []any{"spoilt"}, false, false, false},
		} {
			root := uuid.New()
			if name == "parent in use" {
				run(t, db, insertThing, root, "root")
				run(t, db, `INSERT INTO "things" ("id", "parent") VALUES ($1, $2)`, uuid.New(), root)
			}
			_, err := exec(t.Context(), db, test.query, test.args...)
			if err == nil {
				t.Errorf("%s: accepted", name)
				continue
			}
			err = fmt.Errorf("ent: %w", err)
			if database.IsUniqueViolation(err) != test.unique || database.IsForeignKeyViolation(err) != test.foreignKey || database.IsUnavailable(err) != test.unavailable {
				t.Errorf("%s: %v", name, err)
			}
			if broken := database.BrokenCheck(err); broken != map[string]string{"check": "not_spoilt"}[name] {
				t.Errorf("%s: broken is %q: %v", name, broken, err)
			}
		}
	})
}

func TestIsUnavailable(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		database.ErrOutcomeUnknown,
		driver.ErrBadConn,
		sql.ErrTxDone,
		context.DeadlineExceeded,
		context.Canceled,
		&net.OpError{Op: "dial", Err: errors.New("refused")},
		&pq.Error{Code: pqerror.CannotConnectNow},
		&pq.Error{Code: pqerror.AdminShutdown},
		&pq.Error{Code: pqerror.QueryCanceled},
		&pq.Error{Code: pqerror.ReadOnlySQLTransaction},
		&pq.Error{Code: pqerror.TooManyConnections},
		&pq.Error{Code: pqerror.DiskFull},
		&pq.Error{Code: pqerror.LockNotAvailable},
		&pq.Error{Code: pqerror.TRSerializationFailure},
		&pq.Error{Code: pqerror.TRDeadlockDetected},
		&pq.Error{Code: pqerror.ConnectionFailure},
		&pq.Error{Code: pqerror.InvalidPassword},
		&pq.Error{Code: pqerror.UndefinedTable},
		&pq.Error{Code: pqerror.UndefinedColumn},
		&pq.Error{Code: pqerror.InsufficientPrivilege, Routine: "aclcheck_error"},
		&pq.Error{Code: pqerror.InvalidSchemaName},
	} {
		if !database.IsUnavailable(fmt.Errorf("ent: %w", err)) {
			t.Errorf("%v counts as available", err)
		}
	}
	for _, err := range []error{
		nil,
		sql.ErrNoRows,
		io.EOF,
		&pq.Error{},
		&pq.Error{Code: pqerror.UniqueViolation},
		&pq.Error{Code: pqerror.InsufficientPrivilege, Routine: "ExecWithCheckOptions"},
		&pq.Error{Code: pqerror.NumericValueOutOfRange},
	} {
		if database.IsUnavailable(err) {
			t.Errorf("%v counts as unavailable", err)
		}
	}
}

package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/google/uuid"

	"records/internal/viewer"
)

// The names by which PostgreSQL knows the workspace that a session is confined to,
// and the policy of each table that holds it there (see internal/rowsecurity).
const (
	WorkspaceSetting = "records.workspace"
	WorkspacePolicy  = "records_workspace"
)

// ErrNotConfined is returned for a connection on which row-level security was asked
// for and would not hold. It counts as unreachable: nothing is sent on it.
var ErrNotConfined = errors.New("row-level security does not hold")

// ErrNoRowSecurity is returned where it is asked for on SQLite.
var ErrNoRowSecurity = errors.New("row-level security is PostgreSQL's: an embedded database has none")

// confined is the workspace that a session is confined to by row-level security. The
// server forgets nothing between two statements, so that it is told only when another
// workspace asks. A setting that may not be what is remembered is told again.
type confined struct {
	known bool
	to    uuid.UUID // the zero UUID: no row can be reached
	inTx  bool      // it was told inside of a transaction, and a rollback takes it back
}

// confine tells the server, before a statement is sent, for which workspace it is:
// that of the context's viewer, or none. It costs a round trip if the last one was
// for another.
func (c *connection) confine(ctx context.Context) error {
	v, _ := viewer.FromContext(ctx)
	if c.confined.known && c.confined.to == v.Workspace {
		return nil
	}
	value := ""
	if v.Workspace != uuid.Nil {
		value = v.Workspace.String()
	}
	c.confined.known = false
	op := c.start(ctx, false)
	_, err := c.pqConn.ExecContext(ctx, "SET "+WorkspaceSetting+" = '"+value+"'", nil)
	if err := op.end(err); err != nil {
		return err
	}
	*c.confined = confined{known: true, to: v.Workspace, inTx: c.inTx || c.confined.inTx}
	return nil
}

// loosened is called after what may have changed the setting behind confine's back:
// a script, or the rollback to a savepoint.
func (c *connection) loosened(query string) {
	if c.confined != nil && kindOf(query) == other {
		c.confined.known = false
	}
}

// ended is called at the end of a transaction.
func (f *confined) ended() {
	if f != nil && f.inTx {
		*f = confined{}
	}
}

// standing asks for the process that serves the session, the role, and the tables of
// $1 that are not confined for it: where it passes row-level security, as a superuser
// and the owner of a table do, or the policy is not there, or not for this role.
const standing = `SELECT pg_backend_pid()::text, current_user::text, coalesce((
  SELECT string_agg(name, ', ' ORDER BY name) FROM unnest($1::text[]) AS name, to_regclass(quote_ident(name)) AS found
  WHERE found IS NOT NULL AND NOT (row_security_active(found::oid) AND EXISTS (
    SELECT FROM pg_policy WHERE polrelid = found AND polname = '` + WorkspacePolicy + `' AND polcmd = '*' AND NOT polpermissive
      AND EXISTS (SELECT FROM unnest(polroles) AS r WHERE r = 0 OR pg_has_role(r, 'USAGE'))))), '')`

// confineTo has the connection confined from here on, after it has made sure that the
// server holds the tables to it and that the session is this connection's alone.
func (c *connection) confineTo(ctx context.Context, tables []string) error {
	row, err := c.row(ctx, 3, standing, driver.NamedValue{Ordinal: 1, Value: "{" + strings.Join(tables, ",") + "}"})
	if err != nil {
		return err
	}
	if process, role, open := text(row[0]), text(row[1]), text(row[2]); open != "" {
		return fmt.Errorf("%w: the role %s is not confined to a workspace in %s: run `records row-level-security on --role ROLE` as the owner of the tables, and let the program connect as that role", ErrNotConfined, role, open)
	} else if process != fmt.Sprint(reflect.ValueOf(c.pqConn).Elem().FieldByName("pid").Int()) {
		return fmt.Errorf("%w behind a pooler, which may give a session to others between two statements: connect to PostgreSQL itself", ErrNotConfined)
	}
	c.confined = &confined{}
	return nil
}

// row returns the one row of a query, of so many columns.
func (c *connection) row(ctx context.Context, columns int, query string, args ...driver.NamedValue) ([]driver.Value, error) {
	rows, err := c.query(ctx, query, args)
	if err != nil {
		return nil, err
	}
	row := make([]driver.Value, columns)
	err = rows.Next(row)
	if closed := rows.Close(); err == nil {
		err = closed
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return row, err
}

// text is a value of type text, as lib/pq hands it over.
func text(v driver.Value) string {
	if b, ok := v.([]byte); ok {
		return string(b)
	}
	return fmt.Sprint(v)
}

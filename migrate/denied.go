package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"records/internal/database"
)

// DeniedError says that the role may not look at what the database has of the
// migrations, which then looks as if it had none.
type DeniedError struct{ What, Grant string }

func (e *DeniedError) Error() string { return e.What + ": as the owner, " + e.Grant }

// unusable returns a *DeniedError where a schema in the search_path has the table of the
// versions, and the role of PostgreSQL may not use it: nothing in it is found then.
func unusable(ctx context.Context, db *database.DB) error {
	var role, schema string
	err := db.SQL().QueryRowContext(ctx, `SELECT quote_ident(current_user), quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE c.relname = '`+Table+`' AND NOT has_schema_privilege(n.oid, 'USAGE')
			AND n.nspname IN (SELECT replace(btrim(name, '" '), '$user', current_user) FROM regexp_split_to_table(current_setting('search_path'), ',') AS name)
		LIMIT 1`).Scan(&role, &schema)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return &DeniedError{
		fmt.Sprintf("the role %s may not use the schema %s, in which the tables are", role, schema),
		fmt.Sprintf("GRANT USAGE ON SCHEMA %s TO %s", schema, role),
	}
}

// unreadable puts what PostgreSQL says to a role that may not read the tables of the
// versions into a *DeniedError.
func unreadable(ctx context.Context, db *database.DB, err error) error {
	if database.SQLState(err) != "42501" {
		return err
	}
	var role string
	if asked := db.SQL().QueryRowContext(ctx, "SELECT quote_ident(current_user)").Scan(&role); asked != nil {
		return asked
	}
	return &DeniedError{
		fmt.Sprintf("the role %s may not read %s and %s", role, Table, HistoryTable),
		fmt.Sprintf("GRANT SELECT ON %s, %s TO %s", Table, HistoryTable, role),
	}
}

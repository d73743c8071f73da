package migrate

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"records/migrate/script"
)

// HistoryTable says of each migration what its file is called and whether an
// older program can serve what it leaves. It is the runner's own: no migration
// makes it, so that a database of an older version of records has it later.
const HistoryTable = "schema_history"

// keep writes into the history, in the migration's transaction if it has one.
func keep(ctx context.Context, db Session, m migration, breaks bool) error {
	for _, query := range []string{
		"CREATE TABLE IF NOT EXISTS " + HistoryTable + " (version bigint PRIMARY KEY, name text NOT NULL, breaks boolean NOT NULL)",
		fmt.Sprintf("INSERT INTO %s (version, name, breaks) VALUES (%d, '%s', %t) ON CONFLICT (version) DO UPDATE SET name = excluded.name, breaks = excluded.breaks",
			HistoryTable, m.Version, strings.ReplaceAll(m.Title(), "'", "''"), breaks),
	} {
		if _, err := db.ExecContext(ctx, query); err != nil {
			return &Failure{Migration: m.Name, Left: leftNothing, Cause: err}
		}
	}
	return nil
}

// inSQLite runs a migration in its transaction. The connection does not enforce
// foreign keys, since a table that is rebuilt is gone for a moment; they are
// checked at the end.
func (u *up) inSQLite(ctx context.Context, tx *sql.Tx, m migration) error {
	dropped := map[string]bool{}
	for _, statement := range m.Statements {
		on := On{Migration: m.Name, Statement: statement, Session: tx, Pool: u.pool}
		err := u.options.Around(ctx, on, func() (sql.Result, error) { return execSQLite(ctx, tx, statement, dropped) })
		if err != nil {
			return &Failure{Migration: m.Name, Statement: &statement, Left: leftNothing, Cause: err}
		}
	}
	if err := checkReferences(ctx, tx); err != nil {
		return &Failure{Migration: m.Name, Left: leftNothing, Cause: err}
	}
	return keep(ctx, tx, m, u.breaks(m))
}

// execSQLite runs a statement. The last step of a rebuild gives the new table the
// name of the dropped one; what names it elsewhere, such as a trigger, is meant to
// stay as it is. SQLite would follow a rename there, and fails on a trigger that
// names a table which is not there.
func execSQLite(ctx context.Context, tx *sql.Tx, statement script.Statement, dropped map[string]bool) (sql.Result, error) {
	if table, ok := statement.Drops("table"); ok {
		dropped[table] = true
	}
	if _, to, ok := statement.Renames(); ok && dropped[to] {
		if _, err := tx.ExecContext(ctx, "PRAGMA legacy_alter_table = ON"); err != nil {
			return nil, err
		}
		defer func() { _, _ = tx.ExecContext(ctx, "PRAGMA legacy_alter_table = OFF") }()
	}
	return tx.ExecContext(ctx, statement.Text)
}

// checkReferences looks for rows that refer to none.
func checkReferences(ctx context.Context, tx *sql.Tx) error {
	rows, err := tx.QueryContext(ctx, `SELECT c."table", c.parent, (SELECT f."from" FROM pragma_foreign_key_list(c."table") f WHERE f.id = c.fkid ORDER BY f.seq DESC LIMIT 1), count(*)
		FROM pragma_foreign_key_check c GROUP BY c."table", c.fkid`)
	if err != nil {
		return fmt.Errorf("checking the foreign keys: %w", err)
	}
	defer rows.Close()
	var broken []string
	for rows.Next() {
		var table, parent, column string
		var n int
		if err := rows.Scan(&table, &parent, &column, &n); err != nil {
			return err
		}
		broken = append(broken, fmt.Sprintf("%d rows of %s refer by %s to rows of %s that would not be there", n, table, column, parent))
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("checking the foreign keys: %w", err)
	}
	if len(broken) > 0 {
		return fmt.Errorf("the foreign keys do not hold afterwards: %s; %s", strings.Join(broken, ", "), referToNone)
	}
	return nil
}

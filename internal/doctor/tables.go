package doctor

import (
	"context"
	"database/sql"
	"fmt"

	"entgo.io/ent/dialect"

	declared "records/ent/migrate"
)

// tablesAreThere looks whether the database has the tables and the columns that the
// program reads and writes.
func tablesAreThere(ctx context.Context, c *contents) (faults []Fault, err error) {
	query := `SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`
	if c.dialect == dialect.Postgres {
		query = `SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
			WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`
	}
	have, err := readColumns(ctx, c.tx, query)
	if err != nil {
		return nil, err
	}
	for _, t := range declared.Tables {
		if have[t.Name] == nil {
			c.gone = true
			faults = append(faults, missing(fmt.Sprintf("The table %s is missing.", t.Name), "What is in the database"))
			continue
		}
		for _, column := range t.Columns {
			if !have[t.Name][column.Name] {
				c.unseen[t.Name] = true
				faults = append(faults, missing(fmt.Sprintf("The column %s of %s is missing.", column.Name, t.Name), "What is in the table"))
			}
		}
	}
	return faults, nil
}

func missing(what, unseen string) Fault {
	return Fault{
		Check:  "tables",
		What:   what,
		Why:    "Requests that need it fail, although all migrations are applied: it was dropped or renamed by hand. " + unseen + " is looked at no further.",
		Remedy: "Restore the last backup: see \"Backups\" in docs/operations.md. Or rename it back, and run this command again, for SQLite writes triggers anew when a table is renamed.",
	}
}

// readColumns reads tables and their columns.
func readColumns(ctx context.Context, tx *sql.Tx, query string) (map[string]map[string]bool, error) {
	all := map[string]map[string]bool{}
	err := eachRow(ctx, tx, query, func(row *sql.Rows) error {
		var table, column string
		err := row.Scan(&table, &column)
		if all[table] == nil {
			all[table] = map[string]bool{}
		}
		all[table][column] = true
		return err
	})
	return all, err
}

package doctor

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"

	declared "records/ent/migrate"
	"records/migrate"
)

// tablesAreThere looks whether the database has the tables and the columns that the
// program reads and writes, of the types that they were made with.
func tablesAreThere(ctx context.Context, c *contents) (faults []Fault, err error) {
	query := `SELECT m.name, c.name, lower(c.type) FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`
	if c.dialect == dialect.Postgres {
		query = `SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
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
			is, there := have[t.Name][column.Name]
			want := typeOf(column, c.dialect)
			if !there {
				c.unseen[t.Name] = true
				faults = append(faults, missing(fmt.Sprintf("The column %s of %s is missing.", column.Name, t.Name), "What is in the table"))
			} else if want != "" && is != want {
				c.unseen[t.Name] = true
				faults = append(faults, retyped(fmt.Sprintf("The column %s of %s is %s, and not %s.", column.Name, t.Name, is, want)))
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

func retyped(what string) Fault {
	return Fault{
		Check:  "tables",
		What:   what,
		Why:    "Values can be refused, cut or rounded there, or come back as others; and the next migration of the column may fail. What is in the table is looked at no further.",
		Remedy: "Change it back (ALTER TABLE … ALTER COLUMN … TYPE) after a look at what that does to the values; those that are damaged are in the last backup.",
	}
}

// readColumns reads tables, their columns and the types of these.
func readColumns(ctx context.Context, tx *sql.Tx, query string) (map[string]map[string]string, error) {
	all := map[string]map[string]string{}
	err := eachRow(ctx, tx, query, func(row *sql.Rows) error {
		var table, column, kind string
		err := row.Scan(&table, &column, &kind)
		if all[table] == nil {
			all[table] = map[string]string{}
		}
		all[table][column] = kind
		return err
	})
	return all, err
}

// tablesAreLogged looks whether PostgreSQL keeps the tables through a crash.
func tablesAreLogged(ctx context.Context, c *contents) (faults []Fault, err error) {
	if c.dialect != dialect.Postgres {
		return nil, nil
	}
	var unlogged []string
	err = eachRow(ctx, c.tx, `SELECT relname FROM pg_class WHERE relnamespace = quote_ident(current_schema())::regnamespace
		AND relkind = 'r' AND relpersistence = 'u' ORDER BY relname`, func(row *sql.Rows) error {
		var table string
		err := row.Scan(&table)
		if isOurs(table) {
			unlogged = append(unlogged, table)
		}
		return err
	})
	if err != nil || len(unlogged) == 0 {
		return nil, err
	}
	return []Fault{{
		Check:  "tables",
		What:   "Tables are unlogged: " + strings.Join(unlogged, ", ") + ".",
		Why:    "A crash of the server empties them, and a standby or an archive has nothing of them.",
		Remedy: "ALTER TABLE … SET LOGGED, for each.",
	}}, nil
}

// isOurs says whether a table is the program's, or of its migrations.
func isOurs(table string) bool {
	return table == migrate.Table || table == migrate.HistoryTable ||
		slices.ContainsFunc(declared.Tables, func(t *schema.Table) bool { return t.Name == table })
}

package doctor

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"

	declared "records/ent/migrate"
)

// asOwner is how the doctor sees all rows.
const asOwner = "Let records doctor connect as the owner of the tables, by its own --database.url."

// rowsAreSeen finds the tables of which PostgreSQL shows this role no rows, or not all:
// what was counted there would be wrong, and mending would make it so.
func rowsAreSeen(ctx context.Context, c *contents) (faults []Fault, err error) {
	if c.dialect != dialect.Postgres {
		return nil, nil
	}
	var refused, hidden []string
	err = eachRow(ctx, c.tx, `SELECT relname, has_table_privilege(oid, 'SELECT') FROM pg_class
		WHERE relnamespace = quote_ident(current_schema())::regnamespace AND relkind IN ('r', 'p')
			AND (NOT has_table_privilege(oid, 'SELECT') OR row_security_active(oid)) ORDER BY relname`, func(row *sql.Rows) error {
		var table string
		var may bool
		err := row.Scan(&table, &may)
		switch {
		case !slices.ContainsFunc(declared.Tables, func(t *schema.Table) bool { return t.Name == table }):
			return err
		case may:
			hidden = append(hidden, table)
		default:
			refused = append(refused, table)
		}
		c.unseen[table] = true
		return err
	})
	if len(refused) > 0 {
		faults = append(faults, Fault{
			Check:  "role",
			What:   "This role may not read " + strings.Join(refused, ", ") + ".",
			Why:    "What is in them, and what refers to them, is not looked at.",
			Remedy: "GRANT it SELECT on them. " + asOwner,
		})
	}
	if len(hidden) > 0 {
		faults = append(faults, Fault{
			Check:  "role",
			What:   "Row-level security may hide rows from this role in " + strings.Join(hidden, ", ") + ".",
			Why:    "What is in them, and what refers to them, is not looked at, and not mended: what it counts there would be wrong.",
			Remedy: asOwner + " Where it is confined as well (FORCE ROW LEVEL SECURITY), as a role with BYPASSRLS.",
		})
	}
	return faults, err
}

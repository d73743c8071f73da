package doctor

import (
	"context"
	"database/sql"
	"strings"

	"entgo.io/ent/dialect"

	"records/internal/rights"
	"records/migrate/counts"
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
		case !isOurs(table):
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

// requestsMayWrite looks whether this role may write what requests write.
func requestsMayWrite(ctx context.Context, c *contents) ([]Fault, error) {
	if c.dialect != dialect.Postgres {
		return nil, nil
	}
	lacking, err := rights.Lacking(ctx, c.tx, rights.ToWrite())
	if err != nil || len(lacking) == 0 {
		return nil, err
	}
	return []Fault{{
		Check:  "role",
		What:   "This role lacks " + strings.Join(lacking, "; ") + ".",
		Why:    "Servers that connect as it answer 503 to what needs that, and are ready nevertheless: they serve the rest.",
		Remedy: "GRANT it that: see \"A role of its own\" in docs/operations.md. If servers connect as another role, run records doctor as that one or as the owner of the tables.",
	}}, nil
}

// roleMayMend looks whether this role may put right what can be, and if so keeps out
// another doctor who does; else nothing is mended.
func roleMayMend(ctx context.Context, c *contents) ([]Fault, error) {
	if !c.mend || c.dialect != dialect.Postgres {
		return nil, nil
	}
	lacking, err := rights.Lacking(ctx, c.tx, map[string][]string{counts.Table: {"INSERT", "UPDATE"}, "key_generations": {"INSERT"}})
	if err != nil {
		return nil, err
	}
	if len(lacking) == 0 {
		_, err := c.tx.ExecContext(ctx, lockOutOthers)
		return nil, err
	}
	c.mend = false
	return []Fault{{
		Check:  "role",
		What:   "Nothing is put right: for that this role lacks " + strings.Join(lacking, "; ") + ".",
		Why:    "What --repair could mend stays as it is.",
		Remedy: "GRANT it that. " + asOwner,
	}}, nil
}

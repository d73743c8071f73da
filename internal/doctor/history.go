package doctor

import (
	"context"
	"database/sql"
	"fmt"

	"entgo.io/ent/dialect"

	"records/migrate"
)

// migrationsCameInOrder looks whether each migration was applied before all that are
// newer, as `records migrate up` does.
func migrationsCameInOrder(ctx context.Context, c *contents) (faults []Fault, err error) {
	query := fmt.Sprintf(`SELECT late.version_id, max(newer.version_id) FROM %s late JOIN %[1]s newer ON newer.id < late.id AND newer.version_id > late.version_id
		WHERE late.version_id > 0 GROUP BY late.version_id ORDER BY 1`, migrate.Table)
	err = eachRow(ctx, c.tx, query, func(row *sql.Rows) error {
		var late, newer int64
		err := row.Scan(&late, &newer)
		faults = append(faults, Fault{
			Check:  "migrations",
			What:   fmt.Sprintf("The migration %d was applied after %d, which is newer.", late, newer),
			Why:    "The newer one was tried on what the older one leaves, and never the other way round: what both touch may be another than everywhere else.",
			Remedy: "Compare the schema with that of a new database that `records migrate up` has made, and put right what differs.",
		})
		return err
	})
	return faults, err
}

// historyIsKept looks whether what tells older programs which migrations they cannot
// serve is there. Those from before it was kept are not in it.
func historyIsKept(ctx context.Context, c *contents) ([]Fault, error) {
	query := "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1)"
	if c.dialect == dialect.Postgres {
		query = "SELECT to_regclass($1) IS NOT NULL"
	}
	var there bool
	if err := c.tx.QueryRowContext(ctx, query, migrate.HistoryTable).Scan(&there); err != nil {
		return nil, err
	}
	if !there {
		return []Fault{forgotten("is missing")}, nil
	}
	var lacking int
	query = fmt.Sprintf(`SELECT count(DISTINCT version_id) FROM %s WHERE version_id > (SELECT coalesce(min(version), 0) FROM %s)
		AND version_id NOT IN (SELECT version FROM %[2]s)`, migrate.Table, migrate.HistoryTable)
	if err := c.tx.QueryRowContext(ctx, query).Scan(&lacking); err != nil || lacking == 0 {
		return nil, err
	}
	return []Fault{forgotten(fmt.Sprintf("lacks %d of the migrations that were applied", lacking))}, nil
}

func forgotten(what string) Fault {
	return Fault{
		Check:  "migrations",
		What:   fmt.Sprintf("The table %s %s.", migrate.HistoryTable, what),
		Why:    "From it an older program learns that it cannot serve this database: without it, one that still runs or is started does so all the same, and fails or answers what is wrong.",
		Remedy: "Start no older program, and restore the table alone from the last backup.",
	}
}

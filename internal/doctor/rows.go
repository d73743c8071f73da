package doctor

import (
	"context"
	"database/sql"
)

// eachRow hands every row of a query to read, which scans it.
func eachRow(ctx context.Context, tx *sql.Tx, query string, read func(*sql.Rows) error) error {
	rows, err := tx.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

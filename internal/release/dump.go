package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect"

	"records/ent/recordcount"
	"records/internal/database"
)

// catalogue is the columns of each table, in their order, as the database
// itself has them.
func catalogue(ctx context.Context, db *database.DB) (map[string][]string, error) {
	query := "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid"
	if db.Dialect() == dialect.Postgres {
		query = "SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name, ordinal_position"
	}
	rows, err := db.SQL().QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	tables := map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		tables[table] = append(tables[table], column)
	}
	return tables, rows.Err()
}

// emptyTables are the tables without rows: all but those in which the
// migrations keep their own account. The counts are left out too: they follow
// from the records, and the triggers write them.
func emptyTables(ctx context.Context, db *database.DB) ([]string, error) {
	tables, err := catalogue(ctx, db)
	if err != nil {
		return nil, err
	}
	var empty []string
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		rows, err := literals(ctx, db, table, tables[table])
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 && table != recordcount.Table {
			empty = append(empty, table)
		}
	}
	return empty, nil
}

// dump writes the rows of tables as INSERTs. Each table must have some, or
// nothing would be known of its upgrade.
func dump(ctx context.Context, db *database.DB, names []string) ([]byte, error) {
	tables, err := catalogue(ctx, db)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, table := range names {
		columns := tables[table]
		rows, err := literals(ctx, db, table, columns)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("table %s has no row to record: let fill make some", table)
		}
		for _, row := range rows {
			fmt.Fprintf(&b, "INSERT INTO %q (\"%s\") VALUES (%s);\n", table, strings.Join(columns, `", "`), strings.Join(row, ", "))
		}
	}
	return b.Bytes(), nil
}

// literals are the values of some columns of every row, as SQL writes them.
func literals(ctx context.Context, db *database.DB, table string, columns []string) ([][]string, error) {
	literal := `quote("%s")`
	if db.Dialect() == dialect.Postgres {
		literal = `quote_nullable("%s"::text)`
	}
	selected := make([]string, len(columns))
	for i, c := range columns {
		selected[i] = fmt.Sprintf(literal, c)
	}
	rows, err := db.SQL().QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %q ORDER BY 1, 2", strings.Join(selected, ", "), table))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all [][]string
	for rows.Next() {
		row := make([]string, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}

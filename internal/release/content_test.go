package main

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// content is what a database holds: its rows by table.
type content map[string][]row

// row is the values of a row by column, as SQL writes them.
type row map[string]string

// key tells the rows of a table apart. Every table has an id; that of a record
// is its own within its workspace.
func (r row) key() string { return r["workspace_id"] + " " + r["id"] }

// contentOf reads tables whole.
func contentOf(ctx context.Context, db *database.DB, tables []string) (content, error) {
	columns, err := catalogue(ctx, db)
	if err != nil {
		return nil, err
	}
	all := content{}
	for _, table := range tables {
		if columns[table] == nil {
			continue // it is gone
		}
		rows, err := literals(ctx, db, table, columns[table])
		if err != nil {
			return nil, err
		}
		all[table] = []row{}
		for _, values := range rows {
			r := row{}
			for i, c := range columns[table] {
				r[c] = values[i]
			}
			all[table] = append(all[table], r)
		}
	}
	return all, nil
}

// lost says which rows and values of before are not in now. A column that the
// database no longer has is passed over, a row never is. Rows and columns may
// come in.
func (before content) lost(now content) []string {
	var whats []string
	for _, table := range slices.Sorted(maps.Keys(before)) {
		present := map[string]row{}
		for _, r := range now[table] {
			present[r.key()] = r
		}
		for _, r := range before[table] {
			if found := present[r.key()]; found == nil {
				whats = append(whats, fmt.Sprintf("%s: the row %s is gone", table, r.key()))
			} else {
				whats = append(whats, r.changed(table, found)...)
			}
		}
	}
	return whats
}

func (r row) changed(table string, now row) []string {
	var whats []string
	for _, column := range slices.Sorted(maps.Keys(r)) {
		if value, ok := now[column]; ok && value != r[column] {
			whats = append(whats, fmt.Sprintf("%s.%s of the row %s was %.60s and is %.60s", table, column, r.key(), r[column], value))
		}
	}
	return whats
}

// dangling says which references of an SQLite database lead nowhere.
// PostgreSQL looks after its own.
func dangling(ctx context.Context, db *database.DB) ([]string, error) {
	if db.Dialect() != dialect.SQLite {
		return nil, nil
	}
	rows, err := db.SQL().QueryContext(ctx, `SELECT DISTINCT "table", "parent" FROM pragma_foreign_key_check`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var whats []string
	for rows.Next() {
		var table, parent string
		if err := rows.Scan(&table, &parent); err != nil {
			return nil, err
		}
		whats = append(whats, fmt.Sprintf("%s refers to a row of %s that is not there", table, parent))
	}
	return whats, rows.Err()
}

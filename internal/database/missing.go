package database

import (
	"context"
	"encoding/json"

	"entgo.io/ent/dialect"
)

// Missing returns those of the tables that the database lacks.
func (db *DB) Missing(ctx context.Context, tables []string) (missing []string, err error) {
	names, err := json.Marshal(tables)
	if err != nil {
		return nil, err
	}
	query := "SELECT json_group_array(value) FROM json_each($1) WHERE value NOT IN (SELECT name FROM sqlite_schema WHERE type = 'table')"
	if db.dialect == dialect.Postgres {
		query = "SELECT coalesce(json_agg(name), '[]') FROM json_array_elements_text($1) AS name WHERE to_regclass(quote_ident(name)) IS NULL"
	}
	var found []byte
	if err := db.reader.QueryRowContext(ctx, query, string(names)).Scan(&found); err != nil {
		return nil, err
	}
	err = json.Unmarshal(found, &missing)
	return missing, err
}

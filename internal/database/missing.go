package database

import (
	"context"
	"encoding/json"

	"entgo.io/ent/dialect"
)

// Missing returns those of the tables that the database lacks, and of the others the
// columns that it lacks, as table.column.
func (db *DB) Missing(ctx context.Context, columns map[string][]string) (missing []string, err error) {
	wanted, err := json.Marshal(columns)
	if err != nil {
		return nil, err
	}
	query := `SELECT json_group_array(DISTINCT CASE WHEN m.name IS NULL THEN t.key ELSE t.key || '.' || c.value END)
		FROM json_each($1) AS t, json_each(t.value) AS c LEFT JOIN sqlite_schema AS m ON m.type = 'table' AND m.name = t.key
		WHERE m.name IS NULL OR NOT EXISTS (SELECT 1 FROM pragma_table_info(t.key) AS p WHERE p.name = c.value)`
	if db.dialect == dialect.Postgres {
		query = `SELECT coalesce(json_agg(DISTINCT CASE WHEN r IS NULL THEN t.key ELSE t.key || '.' || c END), '[]')
			FROM json_each($1::json) AS t, json_array_elements_text(t.value) AS c, to_regclass(quote_ident(t.key)) AS r
			WHERE r IS NULL OR NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = r AND attname = c AND NOT attisdropped)`
	}
	var found []byte
	if err := db.reader.QueryRowContext(ctx, query, string(wanted)).Scan(&found); err != nil {
		return nil, err
	}
	err = json.Unmarshal(found, &missing)
	return missing, err
}

// Package rights knows what a role of PostgreSQL must be allowed to do to serve.
package rights

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"

	"records/ent/migrate"
	entrest "records/ent/rest"
)

// fewer are the tables in which serving writes in fewer ways than to insert, update and
// delete. A role that is kept to that is no fault.
var fewer = map[string][]string{
	"api_keys":         {"INSERT", "UPDATE"},
	"audit_events":     {"INSERT"},
	"invitations":      {"INSERT", "UPDATE"},
	"key_generations":  {"UPDATE"},
	"record_counts":    {"INSERT", "UPDATE"},
	"refused_requests": {"INSERT", "DELETE"},
	"users":            {"INSERT", "UPDATE"},
	"workspaces":       {},
}

// ToRead are the rights, by table, without which a server can answer nothing.
func ToRead() map[string][]string {
	all := map[string][]string{}
	for _, t := range migrate.Tables {
		all[t.Name] = []string{"SELECT"}
	}
	return all
}

// ToWrite are the rights, by table, that requests which write need besides.
func ToWrite() map[string][]string {
	all := map[string][]string{}
	for _, t := range migrate.Tables {
		all[t.Name] = []string{"INSERT", "UPDATE", "DELETE"}
	}
	maps.Copy(all, fewer)
	for _, r := range entrest.Resources(nil) {
		if r.Spec().ReadOnly {
			delete(all, r.Spec().Table)
		}
	}
	return all
}

// Session is a database, or a transaction in it.
type Session interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// Lacking returns what the role that asks may not do of that, as "INSERT, DELETE on
// tasks". A right to some columns counts as one. Tables that are not there are left out.
func Lacking(ctx context.Context, s Session, rights map[string][]string) (lacking []string, err error) {
	wanted, err := json.Marshal(rights)
	if err != nil {
		return nil, err
	}
	var found []byte
	err = s.QueryRowContext(ctx, `SELECT coalesce(json_agg(lacking ORDER BY name), '[]') FROM (
			SELECT t.key AS name, string_agg(r.value, ', ' ORDER BY r.ordinality) || ' on ' || t.key AS lacking
			FROM json_each($1::json) AS t, json_array_elements_text(t.value) WITH ORDINALITY AS r
			WHERE NOT CASE r.value WHEN 'DELETE' THEN has_table_privilege(to_regclass(quote_ident(t.key)), 'DELETE')
				ELSE has_any_column_privilege(to_regclass(quote_ident(t.key)), r.value) END
			GROUP BY t.key) AS each_table`, string(wanted)).Scan(&found)
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal(found, &lacking)
	return lacking, err
}

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
	"records/ent/rule"
)

// uniqueKey is what tells the rows of a table apart: its primary key, or other columns
// of which no two rows have the same.
type uniqueKey struct {
	table   string
	columns []string
	primary bool
}

// rowsAreToldApart looks whether the primary keys and the other unique ones are there.
func rowsAreToldApart(ctx context.Context, c *contents) (faults []Fault, err error) {
	query := `SELECT m.name, group_concat(c.name), 1 FROM sqlite_schema m, pragma_table_info(m.name) c
			WHERE m.type = 'table' AND c.pk > 0 GROUP BY m.name
		UNION ALL SELECT m.name, (SELECT group_concat(c.name) FROM pragma_index_info(i.name) c), 0 FROM sqlite_schema m, pragma_index_list(m.name) i
			WHERE m.type = 'table' AND i."unique" = 1 AND i.partial = 0`
	if c.dialect == dialect.Postgres {
		query = `SELECT c.relname, string_agg(a.attname, ','), i.indisprimary FROM pg_index i
			JOIN pg_class c ON c.oid = i.indrelid JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
			WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND i.indisunique AND i.indisvalid AND i.indimmediate AND i.indpred IS NULL GROUP BY i.indexrelid, c.relname, i.indisprimary`
	}
	have, err := readUniqueKeys(ctx, c.tx, query)
	if err != nil {
		return nil, err
	}
	for _, t := range declared.Tables {
		for _, w := range uniqueKeysOf(t) {
			if slices.ContainsFunc(have, w.isKeptBy) {
				continue
			}
			faults = append(faults, Fault{
				Check:  "constraints",
				What:   fmt.Sprintf("Nothing keeps two rows of %s from having the same %s.", w.table, strings.Join(w.columns, " and ")),
				Why:    "What should be there once can be there twice; and what is looked up by it has no index, so that it gets slower with every row.",
				Remedy: "Look for rows that are there twice, and make the key or the unique index again by the statement of the migrations.",
			})
		}
	}
	return faults, nil
}

// uniqueKeysOf returns what is declared of a table. The primary key of a resource has
// the workspace in it.
func uniqueKeysOf(t *schema.Table) (all []uniqueKey) {
	primary := uniqueKey{table: t.Name, columns: names(t.PrimaryKey), primary: true}
	if isResource(t.Name) {
		primary.columns = append([]string{rule.WorkspaceField}, primary.columns...)
	}
	all = append(all, primary)
	for _, c := range t.Columns {
		if c.Unique {
			all = append(all, uniqueKey{table: t.Name, columns: []string{c.Name}})
		}
	}
	for _, i := range t.Indexes {
		if i.Unique {
			all = append(all, uniqueKey{table: t.Name, columns: names(i.Columns)})
		}
	}
	return all
}

func names(columns []*schema.Column) (all []string) {
	for _, c := range columns {
		all = append(all, c.Name)
	}
	return all
}

// isKeptBy says whether a key of the database is this one. A primary key may have more
// columns than are declared, as that of the counts has.
func (k uniqueKey) isKeptBy(have uniqueKey) bool {
	for _, c := range k.columns {
		if !slices.Contains(have.columns, c) {
			return false
		}
	}
	return have.table == k.table && (k.primary && have.primary || !k.primary && len(have.columns) == len(k.columns))
}

func readUniqueKeys(ctx context.Context, tx *sql.Tx, query string) (all []uniqueKey, err error) {
	err = eachRow(ctx, tx, query, func(row *sql.Rows) error {
		var k uniqueKey
		var columns sql.NullString // an index of expressions has none
		err := row.Scan(&k.table, &columns, &k.primary)
		k.columns = strings.Split(columns.String, ",")
		all = append(all, k)
		return err
	})
	return all, err
}

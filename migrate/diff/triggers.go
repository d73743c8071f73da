package diff

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql/schema"
)

// triggers returns, by name, the triggers that SQLite is to have: before a
// record is deleted, what refers to it is set to null in the same statement.
func triggers(tables []*schema.Table) map[string]string {
	updates := map[string][]string{}
	for _, t := range tables {
		for _, fk := range t.ForeignKeys {
			if isRecord(fk.RefTable) {
				updates[fk.RefTable.Name] = append(updates[fk.RefTable.Name], fmt.Sprintf(
					"  UPDATE `%s` SET `%[2]s` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `%[2]s` = OLD.`id`;\n",
					t.Name, fk.Columns[1].Name))
			}
		}
	}
	wanted := map[string]string{}
	for table, statements := range updates {
		name := table + "_clear_references"
		wanted[name] = fmt.Sprintf("CREATE TRIGGER `%s` BEFORE DELETE ON `%s` FOR EACH ROW BEGIN\n%sEND", name, table, strings.Join(statements, ""))
	}
	return wanted
}

// triggerChanges returns the statements that turn the triggers of a database
// into the wanted ones.
func triggerChanges(ctx context.Context, db *sql.DB, wanted map[string]string) ([]string, error) {
	present, err := presentTriggers(ctx, db)
	if err != nil {
		return nil, err
	}
	var statements []string
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if present[name] != wanted[name] {
			statements = append(statements, "DROP TRIGGER `"+name+"`")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		if present[name] != wanted[name] {
			statements = append(statements, wanted[name])
		}
	}
	return statements, nil
}

func presentTriggers(ctx context.Context, db *sql.DB) (map[string]string, error) {
	rows, err := db.QueryContext(ctx, "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	present := map[string]string{}
	for rows.Next() {
		var name, text string
		if err := rows.Scan(&name, &text); err != nil {
			return nil, err
		}
		present[name] = text
	}
	return present, rows.Err()
}

package diff

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
)

// wantedTriggers returns, by name, the triggers that SQLite is to have: before a
// record is deleted, what refers to it is set to null in the same statement; and
// those of the keys.
func wantedTriggers(tables []*schema.Table) map[string]string {
	updates := map[string][]string{}
	byName := slices.SortedFunc(slices.Values(tables), func(a, b *schema.Table) int { return strings.Compare(a.Name, b.Name) })
	for _, t := range byName {
		for _, fk := range t.ForeignKeys {
			if len(fk.Columns) != 2 { // to the workspace itself
				continue
			}
			others := "" // of a table that refers to itself: all but the row that goes
			if fk.RefTable.Name == t.Name {
				others = " AND `id` <> OLD.`id`"
			}
			updates[fk.RefTable.Name] = append(updates[fk.RefTable.Name], fmt.Sprintf(
				"  UPDATE `%s` SET `%[2]s` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `%[2]s` = OLD.`id`%[3]s;\n",
				t.Name, fk.Columns[1].Name, others))
		}
	}
	wanted := keyTriggers(dialect.SQLite)
	for table, statements := range updates {
		name := triggerName(table)
		wanted[name] = fmt.Sprintf("CREATE TRIGGER `%s` BEFORE DELETE ON `%s` FOR EACH ROW BEGIN\n%sEND", name, table, strings.Join(statements, ""))
	}
	return wanted
}

func triggerName(table string) string { return table + "_clear_references" }

// presentTriggers are the triggers of a database, by name.
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

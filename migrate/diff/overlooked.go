package diff

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"entgo.io/ent/dialect"
)

// state is which columns there are once a migration is applied, as "table.column".
type state struct {
	migration string // the file's name
	columns   map[string]bool
}

// note keeps which columns there are now.
func (r *replica) note(ctx context.Context, migration string) error {
	query := "SELECT t.name || '.' || c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'"
	if r.db.Dialect() == dialect.Postgres {
		query = "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = current_schema()"
	}
	rows, err := r.db.SQL().QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	s := state{migration, map[string]bool{}}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		s.columns[name] = true
	}
	r.history = append(r.history, s)
	return rows.Err()
}

// overlooked refuses a migration that takes a column away on SQLite and leaves it on
// PostgreSQL for good. It comes of a merge: one branch adds a column; the other, which
// lacks it, writes the table anew with the columns that it knows. PostgreSQL alters
// tables in place, so that it loses only what the migration is meant to drop, though
// perhaps in a later file of it.
func overlooked(plans []*plan) error {
	var kept []state // on PostgreSQL
	for _, p := range plans {
		if p.db.Dialect() == dialect.Postgres {
			kept = p.history
		}
	}
	for _, p := range plans {
		if p.db.Dialect() != dialect.SQLite {
			continue
		}
		if err := p.loses(kept); err != nil {
			return err
		}
	}
	return nil
}

// loses returns an error for the first column that goes and is kept elsewhere.
func (r *replica) loses(kept []state) error {
	addedBy := map[string]string{}
	for _, s := range r.history {
		for _, name := range slices.Sorted(maps.Keys(addedBy)) {
			if !s.columns[name] && keeps(kept, name, s.migration) {
				return mustComeLast(s.migration, addedBy[name], name)
			}
		}
		maps.DeleteFunc(addedBy, func(name, _ string) bool { return !s.columns[name] })
		for name := range s.columns {
			if addedBy[name] == "" {
				addedBy[name] = s.migration
			}
		}
	}
	return nil
}

// keeps reports whether a column is there from a migration on and never goes. One that
// goes may come again, as another column of the same name.
func keeps(history []state, name, from string) bool {
	for _, s := range slices.Backward(history) {
		if !s.columns[name] {
			return false
		}
		if s.migration <= from {
			break
		}
	}
	return len(history) > 0
}

func mustComeLast(later, earlier, name string) error {
	table, column, _ := strings.Cut(name, ".")
	return fmt.Errorf("on SQLite %s writes the table %s anew without the column %s, which %s has added, and what is in it would be lost: "+
		"the one was written on a branch that did not have the other. Keep the one that was merged first, and generate the other anew, so that it comes last: "+
		"delete its branch's files in migrate/postgres and in migrate/sqlite, run make migration-sums, and make migration name=WHAT_IT_DOES "+
		"(docs/schema.md, \"Two branches with a migration each\")", later, table, column, earlier)
}

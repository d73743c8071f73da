package lint

import (
	"slices"

	"records/migrate/script"
)

// renameColumn gives a column another name, and that also where constraints and
// indexes name it, as the database does.
func (l *linter) renameColumn(table, from, to string) {
	t := l.schema.table(table)
	if c := t.column(from); c != nil {
		delete(t.columns, from)
		t.columns[to] = c
	}
	for name, other := range l.schema.tables {
		for key, c := range other.constraints {
			c.words = renamed(c.words, name, table, from, to)
			if name == table {
				c.columns = renamedNames(c.columns, from, to)
				c.notNull = renamedNames([]string{c.notNull}, from, to)[0]
			}
			other.constraints[key] = c
		}
	}
	for _, indexes := range []map[string]index{l.schema.indexes, l.state.indexes} {
		for name, i := range indexes {
			if i.table == table {
				i.on, i.columns = renamed(i.on, table, table, from, to), renamedNames(i.columns, from, to)
				indexes[name] = i
			}
		}
	}
}

// renamed are the words with another name for a column of a table. They are said of
// the table on; those behind REFERENCES of the one that they name.
func renamed(words []script.Token, on, table, from, to string) []script.Token {
	words = slices.Clone(words)
	for i, w := range words {
		switch {
		case i > 0 && words[i-1].Is("references"):
			on = w.Text
		case on == table && (w.Kind == script.Word || w.Kind == script.Name) && w.Text == from:
			words[i].Text = to
		}
	}
	return words
}

func renamedNames(names []string, from, to string) []string {
	names = slices.Clone(names)
	for i, name := range names {
		if name == from {
			names[i] = to
		}
	}
	return names
}

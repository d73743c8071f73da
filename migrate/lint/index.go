package lint

import (
	"maps"
	"slices"

	"records/migrate/script"
)

func (l *linter) createIndex(s script.Statement) bool {
	created, ok := s.AnyIndex()
	if !ok {
		return false
	}
	t := l.schema.table(created.Table)
	before, was := l.state.indexes[created.Name]
	made := readIndex(created, s.Read())
	if _, there := l.schema.indexes[created.Name]; there && s.Read().Has("if not exists") {
		return true // it stays what it is
	}
	if created.Name != "" {
		l.schema.indexes[created.Name] = made
	}
	if t.isNew {
		return true
	}
	if l.postgres() && !created.Concurrently {
		l.add(Locks, "Writers of "+created.Table+" wait until the index is built", recipeIndex)
	}
	same := was && before.unique && before.table == made.table && before.on == made.on && !l.postgres() // rebuilt with its table
	if created.Unique && !same && !l.allNew(t, made.columns) {
		l.add(Breaks, "The running program may write duplicates, which are refused from now on; it fails on those that are there", recipeUnique)
	}
	return true
}

// readIndex reads what an index is on.
func readIndex(created script.Index, r *script.Reader) index {
	i := index{table: created.Table, unique: created.Unique, isNew: true}
	r.Until("on")
	r.Take("on")
	r.Take("only")
	_, _ = r.Name()
	i.on = r.String()
	if columns, ok := r.Parentheses(); ok {
		for _, part := range columns.Split(",") {
			i.columns = append(i.columns, part.Next().Text)
		}
	}
	return i
}

// unindex notes that an index is dropped. One that no migration has made by this
// name may be unique.
func (l *linter) unindex(name string) {
	was, known := l.schema.indexes[name]
	if !known {
		l.add(Breaks, "Lint does not know the index "+name+", and whether the running program relies on it to refuse a duplicate", recipeTogether)
	} else if was.unique && !was.isNew {
		l.state.unindexed = append(l.state.unindexed, unindexed{was, l.state.at})
	}
}

// unindexed judges, at the end of a file, the unique indexes that were dropped and
// are neither gone with their table or column nor there under another name.
func (l *linter) unindexed() {
	for _, lost := range l.state.unindexed {
		t, there := l.schema.tables[lost.was.table]
		again := slices.ContainsFunc(slices.Collect(maps.Values(l.schema.indexes)), func(i index) bool {
			return i.unique && i.table == lost.was.table && i.on == lost.was.on
		})
		if there && !again && !l.allGone(t, lost.was.columns) {
			l.addTo(lost.at, Breaks, "The running program relies on the unique index to refuse a duplicate", recipeTogether)
		}
	}
}

package lint

import (
	"records/migrate/script"
)

func (l *linter) createIndex(s script.Statement) bool {
	created, ok := s.AnyIndex()
	if !ok {
		return false
	}
	t := l.schema.table(created.Table)
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
	again := !l.postgres() && isAmong(l.state.indexes, made) // with its table, which is rebuilt
	if created.Unique && !again && !l.allNew(t, made.columns) {
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
	i.on = r.Rest()
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
		if there && !isAmong(l.schema.indexes, lost.was) && !l.allGone(t, lost.was.columns) {
			l.addTo(lost.at, Breaks, "The running program relies on the unique index to refuse a duplicate", recipeTogether)
		}
	}
}

// isAmong reports whether a unique index is there, by whatever name.
func isAmong(indexes map[string]index, wanted index) bool {
	for _, i := range indexes {
		if i.unique && i.table == wanted.table && said(i.on) == said(wanted.on) {
			return true
		}
	}
	return false
}

package lint

import (
	"records/migrate/script"
)

// createTable notes a new table, which harms nobody.
func (l *linter) createTable(r *script.Reader) bool {
	r.Take("if not exists")
	name, ok := r.Name()
	if !ok || isSystem(name) {
		return false
	}
	if _, there := l.schema.tables[name]; there {
		return !writes(r) // it stays what it is
	}
	t := newTable()
	t.isNew = true
	if r.Take("as") {
		t.partial = true
		if writes(r) {
			l.unknown("what the query does besides filling " + name)
		}
	} else {
		inner, ok := r.Parentheses()
		if !ok {
			return false // PARTITION OF, OF TYPE, …
		}
		if !l.readTable(t, inner) {
			t.partial = true
		}
		t.options = r.String()
		if !r.Done() && !l.tableOptions(r) {
			return false
		}
	}
	l.schema.tables[name] = t
	return true
}

// tableOptions reads what may stand behind the columns.
func (l *linter) tableOptions(r *script.Reader) bool {
	if l.postgres() {
		if r.Take("with") {
			r.Parentheses()
		}
		return r.Done()
	}
	for r.Take("without rowid") || r.Take("strict") || r.Take(",") {
		continue
	}
	return r.Done()
}

// readTable reads the columns and constraints of a table, and reports whether it
// understood them all.
func (l *linter) readTable(t *table, r *script.Reader) bool {
	all := true
	for _, part := range r.Split(",") {
		if name, c, ok := l.readConstraint(part); ok {
			t.constraints[name] = c
			continue
		}
		def, ok := readColumn(part)
		all = all && ok
		if def.name != "" {
			t.columns[def.name] = def.column(true)
		}
	}
	return all
}

// readConstraint reads a constraint of a table, and leaves the reader where it was
// if it is none.
func (l *linter) readConstraint(r *script.Reader) (name string, c constraint, ok bool) {
	start := *r
	if r.Take("constraint") {
		name, _ = r.Name()
	}
	switch {
	case r.Take("check"):
		c.kind = "check"
		if inner, ok := r.Parentheses(); ok {
			c.notNull = notNullCheck(inner)
		}
	case r.Take("foreign key"):
		c.kind = "foreign"
		c.columns = readNames(r)
	case r.Take("unique"):
		c.kind = "unique"
		c.columns = readNames(r)
	case r.Take("primary key"):
		c.kind = "primary"
		c.columns = readNames(r)
	case r.Take("exclude"):
		c.kind = "exclude"
	default:
		*r = start
		return "", c, false
	}
	c.valid, c.file = !r.Has("not valid"), l.script.Name
	rest := start
	if rest.Take("constraint") {
		_, _ = rest.Name()
	}
	c.words = rest.Rest()
	if name == "" {
		name = c.kind + " " + start.String()
	}
	return name, c, true
}

// readNames reads a list of names in parentheses, nil if there is none.
func readNames(r *script.Reader) (names []string) {
	inner, ok := r.Parentheses()
	if !ok {
		return nil
	}
	for _, part := range inner.Split(",") {
		names = append(names, part.Next().Text)
	}
	return names
}

// notNullCheck returns the column of `column IS NOT NULL`, "" for another check.
func notNullCheck(r *script.Reader) string {
	for {
		inner, ok := r.Parentheses()
		if !ok {
			break
		}
		r = inner
	}
	name, ok := r.Name()
	if ok && r.Take("is not null") && r.Done() {
		return name
	}
	return ""
}

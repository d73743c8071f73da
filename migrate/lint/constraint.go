package lint

import (
	"maps"
	"slices"
	"strings"

	"records/migrate/script"
)

// addConstraint judges ADD CONSTRAINT; r stands behind what was read of it.
func (l *linter) addConstraint(name string, t *table, constraintName string, c constraint, r *script.Reader) bool {
	t.constraints[constraintName] = c
	if c := t.column(c.notNull); c != nil {
		c.checkIsNew = true
	}
	if c.valid && c.notNull != "" {
		l.checked(t, c.notNull)
	}
	if t.isNew {
		return true
	}
	if r.Take("using index") {
		if c.kind == "primary" {
			l.add(Locks, "Readers and writers of "+name+" wait until every row is looked at for NULL", recipeNotNull)
		}
		return true
	}
	switch c.kind {
	case "unique", "primary", "exclude":
		l.add(Locks, "Readers and writers of "+name+" wait until the index is built", "Build the index with CREATE UNIQUE INDEX CONCURRENTLY in a migration of its own, then ADD CONSTRAINT … USING INDEX")
		l.add(Breaks, "The running program may write what is refused from now on", recipeUnique)
		return true
	}
	if c.valid {
		l.add(Locks, "Writers of "+name+" wait until every row is checked", recipeValidate)
	}
	if c.kind == "check" || !l.allNew(t, c.columns) {
		l.add(Breaks, "The running program may write what is refused from now on", recipeRule)
	}
	return true
}

// allNew reports whether one of the columns was added by what is pending: the
// running program leaves it NULL, and a reference with a NULL refers to nothing.
func (l *linter) allNew(t *table, columns []string) bool {
	for _, name := range columns {
		if c := t.column(name); c != nil && c.isNew && !c.notNull && !c.hasDefault {
			return true
		}
	}
	return false
}

func (l *linter) checked(t *table, column string) {
	if c := t.column(column); c != nil {
		c.checked = true
	}
}

func (l *linter) validate(t *table, r *script.Reader) bool {
	name, ok := r.Name()
	c, known := t.constraints[name]
	if known && c.file == l.script.Name && !t.isNew {
		l.add(Locks, "The lock of ADD CONSTRAINT, in the same migration, is held while every row is checked", recipeValidate)
	}
	if known {
		c.valid = true
		t.constraints[name] = c
	}
	if known && c.notNull != "" {
		l.checked(t, c.notNull)
	}
	return ok
}

func (l *linter) dropConstraint(table string, t *table, r *script.Reader) bool {
	r.Take("if exists")
	name, ok := r.Name()
	if r.Take("cascade") {
		l.add(Breaks, "CASCADE drops whatever depends on it, too", recipeContract)
	}
	if was := t.constraints[name]; was.kind != "check" && !t.isNew {
		l.state.loosened = append(l.state.loosened, loosened{table, was, l.state.at})
	}
	delete(t.constraints, name)
	return ok
}

// loosened judges, at the end of a file, the constraints that were dropped and are
// neither gone with their table nor there in another form.
func (l *linter) loosened() {
	for _, lost := range l.state.loosened {
		t, there := l.schema.tables[lost.table]
		if there && !t.hasAnother(lost.was) {
			l.addTo(lost.at, Breaks, "The running program relies on the constraint to refuse a duplicate or a reference to nothing", recipeTogether)
		}
	}
}

// hasAnother reports whether a table has a constraint of the same kind on the same
// columns, whatever else it says.
func (t *table) hasAnother(lost constraint) bool {
	return t.hasConstraint(func(c constraint) bool { return c.kind == lost.kind && slices.Equal(c.columns, lost.columns) })
}

// hasSame reports whether a table has a constraint that does the same, by whatever
// name.
func (t *table) hasSame(wanted constraint) bool {
	return t.hasConstraint(func(c constraint) bool { return c.text() == wanted.text() })
}

func (t *table) hasConstraint(is func(constraint) bool) bool {
	return slices.ContainsFunc(slices.Collect(maps.Values(t.constraints)), is)
}

// text is what a constraint says, without what is so by default.
func (c constraint) text() string {
	return usual.Replace(said(c.words))
}

var usual = strings.NewReplacer(" on update no action", "", " on delete no action", "")

func said(words []script.Token) string { return (&script.Reader{Tokens: words}).String() }

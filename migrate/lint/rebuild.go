package lint

import (
	"maps"
	"slices"
	"strings"
)

// rebuilt judges a table that was created anew under another name, filled from the
// old one, and has now taken its place: the way in which SQLite changes what its
// ALTER TABLE cannot. from is the name that it was made under.
func (l *linter) rebuilt(from, name string, t *table, old rebuilt) {
	copied, filled := l.state.copies[from]
	filled = filled && copied.from == name
	if !filled {
		l.addTo(old.at, Destroys, "Not every row of "+name+" is known to be copied before it is dropped", recipeRows)
	}
	if old.old.partial || t.partial {
		l.addTo(old.at, Destroys, "Lint does not know all columns of "+name+", and whether what is in them is kept", recipeRows)
		l.addTo(old.at, Breaks, "Lint does not know all columns of "+name+", and whether the running program finds them", recipeTogether)
	}
	l.addTo(old.at, Rewrites, "The whole of "+name+" is copied, and writers wait until it is done", recipeRebuild)
	for _, column := range slices.Sorted(maps.Keys(old.old.columns)) {
		l.rebuiltColumn(name, column, t, old, !filled || copied.columns[column])
	}
	for _, column := range slices.Sorted(maps.Keys(t.columns)) {
		c := t.columns[column]
		_, was := old.old.columns[column]
		c.isNew = !was
		if !was && c.notNull && !c.hasDefault {
			l.addTo(old.at, Breaks, "The running program does not write "+name+"."+column+", and its inserts fail", recipeColumn)
		}
		if !was && c.rules != "" {
			l.addTo(old.at, Breaks, "The running program does not know the rule of "+name+"."+column, recipeRule)
		}
	}
	if t.options != old.old.options {
		l.addTo(old.at, Breaks, "What stands behind the columns of "+name+" changes what it takes", recipeRule)
	}
	l.rebuiltConstraints(name, t, old)
	t.isNew = false
}

// rebuiltColumn compares one column of the old table with the new one.
func (l *linter) rebuiltColumn(name, column string, t *table, old rebuilt, copied bool) {
	was, is := old.old.columns[column], t.columns[column]
	switch full := name + "." + column; {
	case is == nil && was.isNew:
	case is == nil:
		l.addTo(old.at, Destroys, "What is in "+full+" is lost", recipeContract)
		l.addTo(old.at, Breaks, "The running program reads and writes "+full, recipeContract)
	case !copied:
		l.addTo(old.at, Destroys, "What is in "+full+" is not copied", recipeRows)
	case is.notNull && !was.notNull:
		l.addTo(old.at, Breaks, "The running program may write NULL into "+full+", which is refused from now on", recipeRule)
	case was.notNull && !is.notNull && !was.isNew:
		l.addTo(old.at, Breaks, "The running program cannot read the NULL that the newer one may write into "+full, recipeRule)
	case is.rules != was.rules:
		l.addTo(old.at, Breaks, "The column "+full+" gets another rule than the running program knows, or loses one", recipeRule)
	case is.kind != was.kind:
		l.addTo(old.at, Breaks, "The running program reads and writes "+full+" as "+was.kind, recipeType)
	case is.notNull && was.hasDefault && !is.hasDefault:
		l.addTo(old.at, Breaks, "The running program may leave "+full+" out, and its inserts fail", recipeRule)
	}
}

// rebuiltConstraints compares the constraints, by what they do: a renamed column
// leaves them their old name, and the copy gives them that of the new one.
func (l *linter) rebuiltConstraints(name string, t *table, old rebuilt) {
	for _, constraintName := range slices.Sorted(maps.Keys(t.constraints)) {
		c := t.constraints[constraintName]
		if old.old.hasSame(c) || c.kind == "foreign" && l.allNew(t, c.columns) {
			continue
		}
		l.addTo(old.at, Breaks, "A new constraint of "+name+" may refuse what the running program writes: "+constraintName, recipeRule)
	}
	for _, constraintName := range slices.Sorted(maps.Keys(old.old.constraints)) {
		c := old.old.constraints[constraintName]
		if c.kind != "check" && !t.hasAnother(c) && !l.allGone(t, c.columns) {
			l.addTo(old.at, Breaks, "The running program relies on a constraint that "+name+" loses: "+constraintName, recipeTogether)
		}
	}
}

// allGone reports whether a column of a constraint is gone, and the constraint
// with it; that is said of the column.
func (l *linter) allGone(t *table, columns []string) bool {
	return slices.ContainsFunc(columns, func(c string) bool { return t.column(c) == nil })
}

// triggers judges, at the end of a file, the tables that were dropped for good and
// the triggers that are not what they were.
func (l *linter) triggers() {
	l.loosened()
	l.unindexed()
	for name, old := range l.state.dropped {
		l.addTo(old.at, Destroys, "Every row of "+name+" is lost", recipeContract)
		l.addTo(old.at, Breaks, "The running program uses "+name, recipeContract)
	}
	for _, name := range slices.Sorted(maps.Keys(l.state.touched)) {
		before, was := l.state.before[name]
		after, is := l.schema.triggers[name]
		at := l.state.touched[name]
		table := after.table
		if !is {
			table = before.table
		}
		if t, there := l.schema.tables[table]; !there || t.isNew {
			if is && !l.postgres() && !l.allFresh(after) {
				l.addTo(at, Unknown, "Lint does not understand what the trigger "+name+" does, which what is pending may set off", recipeUnknown)
			}
			continue // the table is gone too, or nobody uses it yet
		}
		if was && is && before.text == after.text && before.table == after.table {
			continue // rebuilt with its table
		}
		for _, s := range missing(before.body, after.body) {
			if !l.gone(s) && !l.clearsNew(s) {
				l.addTo(at, Breaks, "The running program relies on what the trigger "+name+" of "+table+" did", recipeTogether)
			}
		}
		for _, s := range missing(after.body, before.body) {
			if !l.fresh(s) {
				l.addTo(at, Breaks, "The trigger "+name+" changes what the running program's statements on "+table+" do", recipeTogether)
			}
		}
		if is && len(after.body) == 0 || was && len(before.body) == 0 {
			l.addTo(at, Breaks, "Lint does not understand what the trigger "+name+" of "+table+" does to the running program's statements", recipeTogether)
		}
	}
}

// missing returns what all has and others lack.
func missing(all, others []string) (left []string) {
	for _, s := range all {
		if !slices.Contains(others, s) {
			left = append(left, s)
		}
	}
	return left
}

// cleared returns the table and the column of `update table set column = null …`,
// as triggers hold them.
func cleared(statement string) (table, column string) {
	words := strings.Fields(statement)
	if len(words) < 6 || words[0] != "update" || words[2] != "set" || words[4] != "=" || words[5] != "null" {
		return "", ""
	}
	return words[1], words[3]
}

// fresh reports whether a trigger's statement only clears what the running program
// does not know, counts, or updates a table that is new.
func (l *linter) fresh(statement string) bool {
	words := strings.Fields(statement)
	if countsOnly(words) {
		return true
	}
	if len(words) > 3 && words[0] == "update" && words[2] == "set" && !slices.Contains(words, "raise") {
		if t, ok := l.schema.tables[words[1]]; ok && t.isNew {
			return true
		}
	}
	return l.clearsNew(statement)
}

// clearsNew reports whether a trigger's statement only clears what the running program
// does not know.
func (l *linter) clearsNew(statement string) bool {
	table, column := cleared(statement)
	t, ok := l.schema.tables[table]
	if !ok {
		return false
	}
	c := t.column(column)
	return t.isNew || c != nil && c.isNew
}

// allFresh reports whether a trigger is understood and changes nothing that the
// running program knows.
func (l *linter) allFresh(t trigger) bool {
	return len(t.body) > 0 && !slices.ContainsFunc(t.body, func(s string) bool { return !l.fresh(s) })
}

// gone reports whether a trigger's statement has nothing left to clear.
func (l *linter) gone(statement string) bool {
	table, column := cleared(statement)
	if table == "" {
		return false
	}
	t, ok := l.schema.tables[table]
	return !ok || !t.partial && t.column(column) == nil
}

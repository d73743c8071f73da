package lint

import (
	"strings"

	"records/migrate/script"
)

// alterTable judges ALTER TABLE, of which these words were read: each of its
// commands.
func (l *linter) alterTable(r *script.Reader) bool {
	r.Take("if exists")
	r.Take("only")
	name, ok := r.Name()
	if !ok {
		return false
	}
	r.Take("*")
	if done, ok := l.renames(name, r); done {
		return ok
	}
	l.state.altered[name] = true
	delete(l.state.copies, name)
	known := true
	for _, command := range r.Split(",") {
		known = l.alterCommand(name, l.schema.table(name), command) && known
	}
	return known
}

// renames judges the forms of RENAME, which stand alone. done reports that it is
// one of them.
func (l *linter) renames(name string, r *script.Reader) (done, ok bool) {
	if !r.Take("rename") {
		return false, false
	}
	t := l.schema.table(name)
	if r.Take("to") {
		to, ok := r.Name()
		l.renameTable(name, to, t)
		return true, ok
	}
	if r.Take("constraint") {
		return true, l.renameConstraint(t, r)
	}
	delete(l.state.copies, name)
	r.Take("column")
	from, ok := r.Name()
	if !ok || !r.Take("to") {
		return true, false
	}
	to, ok := r.Name()
	c := t.column(from)
	if !t.isNew && (c == nil || !c.isNew) {
		l.add(Breaks, "The running program uses the column under its old name", recipeRename)
	}
	l.renameColumn(name, from, to)
	return true, ok
}

// renameKey judges the new name of a constraint or an index. By its name the program
// knows a primary key alone.
func (l *linter) renameKey(from, to string) {
	if strings.HasSuffix(from, "_pkey") && !strings.HasSuffix(to, "_pkey") {
		l.add(Breaks, "The running program tells a primary key by the end of its name, _pkey", recipeTogether)
	}
}

// renameConstraint judges RENAME CONSTRAINT, of which these words were read.
func (l *linter) renameConstraint(t *table, r *script.Reader) bool {
	from, ok := r.Name()
	if !ok || !r.Take("to") {
		return false
	}
	to, ok := r.Name()
	l.renameKey(from, to)
	if c, known := t.constraints[from]; known {
		t.constraints[to] = c
		delete(t.constraints, from)
	}
	return ok
}

func (l *linter) renameTable(from, to string, t *table) {
	if old, ok := l.state.dropped[to]; ok && t.isNew {
		delete(l.state.dropped, to)
		l.rebuilt(from, to, t, old)
		l.schema.rename(from, to)
		return
	}
	if !t.isNew {
		l.add(Breaks, "The running program uses the table under its old name", recipeRename)
	}
	l.schema.rename(from, to)
}

// alterCommand judges one command of an ALTER TABLE.
func (l *linter) alterCommand(name string, t *table, r *script.Reader) bool {
	switch {
	case r.Take("add"):
		if constraintName, c, ok := l.readConstraint(r); ok {
			return l.addConstraint(name, t, constraintName, c, r)
		}
		r.Take("column")
		return l.addColumn(name, t, r)
	case r.Take("drop constraint"):
		return l.dropConstraint(name, t, r)
	case r.Take("drop"):
		r.Take("column")
		r.Take("if exists")
		return l.dropColumn(name, t, r)
	case r.Take("alter"):
		r.Take("column")
		return l.alterColumn(t, r)
	case r.Take("validate constraint"):
		return l.validate(t, r)
	case r.Take("set tablespace"), r.Take("set logged"), r.Take("set unlogged"), r.Take("set access method"):
		l.add(Rewrites, "The table is written anew; readers and writers wait until it is done", recipeQuiet)
		return true
	case r.Take("set schema"), r.Take("owner to"), r.Take("enable"), r.Take("disable"), r.Take("force row"), r.Take("no force row"):
		l.add(Breaks, "It changes what the running program's statements do", recipeTogether)
		return true
	case r.Take("set ("), r.Take("reset ("), r.Take("replica identity"), r.Take("cluster on"), r.Take("set without cluster"):
		return true
	}
	return false
}

func (l *linter) addColumn(name string, t *table, r *script.Reader) bool {
	mayBeThere := r.Take("if not exists") && t.partial && !t.isNew
	def, ok := readColumn(r)
	if !ok {
		return false
	}
	if t.column(def.name) != nil {
		return true // it stays what it is, or the statement fails
	}
	t.columns[def.name] = def.column(!mayBeThere)
	if !l.postgres() && def.refused() {
		l.add(Breaks, "SQLite refuses to add such a column: the migration fails, and with it every command of the new version", recipePlain)
		return true
	}
	if t.isNew {
		return true
	}
	switch {
	case def.generated:
		l.add(Rewrites, "Every row is written anew to compute the column", recipeDefault)
	case def.standard == nil && def.notNull:
		l.add(Breaks, "The running program does not write the column, and its inserts fail; so does this, if there are rows", recipeColumn)
	case def.standard != nil && !isConstant(def.standard):
		l.add(Rewrites, "The default is not known to be the same for every row, so that every row is written anew", recipeDefault)
	}
	if !l.postgres() {
		return true
	}
	switch {
	case def.unique, def.primary:
		l.add(Locks, "Readers and writers of "+name+" wait until the index is built", recipeIndex)
	case def.check:
		l.add(Locks, "Readers and writers of "+name+" wait until every row is checked", recipeValidate)
	case def.references && def.standard != nil:
		l.add(Locks, "Writers of both tables wait until every row is checked", recipeValidate)
	}
	return true
}

func (l *linter) dropColumn(name string, t *table, r *script.Reader) bool {
	column, ok := r.Name()
	if !ok {
		return false
	}
	c := t.column(column)
	delete(t.columns, column)
	if r.Take("cascade") {
		l.add(Destroys, "CASCADE drops whatever depends on it, too", recipeContract)
	}
	if t.isNew || c != nil && c.isNew {
		return true
	}
	l.add(Destroys, "What is in "+name+"."+column+" is lost", recipeContract)
	l.add(Breaks, "The running program reads and writes "+name+"."+column, recipeContract)
	if !l.postgres() {
		l.add(Rewrites, "SQLite writes every row of "+name+" anew, and writers wait until it is done", recipeRebuild)
	}
	return true
}

// alterColumn judges ALTER COLUMN, of which these words were read.
func (l *linter) alterColumn(t *table, r *script.Reader) bool {
	name, ok := r.Name()
	if !ok {
		return false
	}
	c := t.column(name)
	if c == nil {
		c = &column{}
	}
	switch {
	case r.Take("set not null"):
		if !t.isNew && !c.checked {
			l.add(Locks, "Readers and writers wait until every row is looked at", recipeNotNull)
		}
		if !t.isNew && (!c.checked || c.checkIsNew) {
			l.add(Breaks, "The running program may write NULL, which is refused from now on", recipeRule)
		}
		c.notNull = true
	case r.Take("drop not null"):
		if !t.isNew && !c.isNew {
			l.add(Breaks, "The running program cannot read the NULL that the newer one may write", recipeRule)
		}
		c.notNull = false
	case r.Take("set default"):
		c.hasDefault = true
	case r.Take("drop default"):
		if !t.isNew && (c.notNull || t.column(name) == nil) {
			l.add(Breaks, "The running program may leave the column out, and its inserts fail", recipeRule)
		}
		c.hasDefault = false
	case r.Take("type"), r.Take("set data type"):
		return l.changeType(t, c, r)
	case r.Take("set statistics"), r.Take("set storage"), r.Take("set compression"), r.Take("set ("), r.Take("reset ("):
	default:
		return false
	}
	return true
}

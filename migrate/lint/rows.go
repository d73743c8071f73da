package lint

import (
	"records/migrate/script"
)

// insert judges INSERT and REPLACE. To add rows harms nobody.
func (l *linter) insert(s script.Statement) bool {
	r := s.Read()
	replaces := r.Take("replace") || r.Take("insert or replace")
	ignores := r.Take("insert or ignore")
	if !replaces && !ignores && !r.Take("insert") {
		return false
	}
	if !r.Take("into") {
		return false
	}
	name, ok := r.Name()
	if !ok || isSystem(name) || writes(r) {
		return false
	}
	delete(l.state.copies, name)
	if (replaces || r.Has("do update") && !addsToCounts(name, r)) && !l.schema.table(name).isNew {
		l.add(Destroys, "It writes over rows that are there", recipeRows)
	}
	if columns, ok := r.Parentheses(); ok && !replaces && !ignores { // those leave rows out
		l.noteCopy(name, columns, r)
	}
	return true
}

// noteCopy keeps that a table was filled from another one, as a rebuild does:
// INSERT INTO new (a, b) SELECT a, b FROM old, and nothing behind it.
func (l *linter) noteCopy(into string, columns, r *script.Reader) {
	if !r.Take("select") || r.Has("distinct") {
		return
	}
	values := r.Until("from").Split(",")
	r.Take("from")
	from, ok := r.Name()
	names := columns.Split(",")
	if !ok || !r.Done() || len(values) != len(names) {
		return
	}
	c := copied{from, map[string]bool{}}
	for i, part := range names {
		name := part.Next().Text
		c.columns[name] = isColumn(values[i], name)
	}
	l.state.copies[into] = c
}

// isColumn reports whether a selected value is that of a column: the column itself,
// or what stands in for its NULL, which holds no call that could come to one value
// for all rows.
func isColumn(value *script.Reader, name string) bool {
	is := func(t script.Token) bool { return t.Kind != script.Literal && t.Text == name }
	if value.Take("ifnull") || value.Take("coalesce") {
		inner, ok := value.Parentheses()
		if value.Take("as") {
			_, _ = value.Name()
		}
		return ok && is(inner.Next()) && inner.Take(",") && !inner.Has("(") && value.Done()
	}
	return is(value.Next()) && value.Done()
}

// update judges UPDATE, of which the first word was read.
func (l *linter) update(r *script.Reader) bool {
	r.Take("only")
	name, ok := r.Name()
	if !ok || name == "or" || isSystem(name) { // UPDATE OR REPLACE deletes rows
		return false
	}
	delete(l.state.copies, name)
	t := l.schema.table(name)
	if t.isNew {
		return true
	}
	alias := r.Until("set")
	if !r.Take("set") {
		return false
	}
	target := name // as the condition calls the table
	if _ = alias.Take("as"); !alias.Done() {
		target = alias.Next().Text
	}
	assignments := r.Until("from", "where", "returning")
	r.Until("where")
	where := r.Take("where")
	for _, part := range assignments.Split(",") {
		column, ok := part.Name()
		if !ok || !part.Take("=") {
			l.add(Destroys, "Values that are there are written over", recipeRows)
			break
		}
		if c := t.column(column); c != nil && c.isNew {
			continue // nothing was in it
		}
		if !where || !guarded(r, target, column) {
			l.add(Destroys, "Values of "+column+" that are there are written over", recipeRows)
		}
	}
	switch {
	case !l.postgres():
	case l.state.altered[name]:
		l.add(Locks, "Readers and writers of "+name+" wait until it is done, for the ALTER TABLE above holds its lock to the end of the migration", recipeBackfill)
	default:
		l.add(Locks, "Whoever writes one of these rows waits until the migration is done", recipeBackfill)
	}
	return true
}

// guarded reports whether a condition lets pass only rows in which the table's
// column is null: `column IS NULL`, alone or with AND. One of another table in FROM
// says nothing.
func guarded(where *script.Reader, table, column string) bool {
	if where.Has("or") || where.Has("not") || where.Has("case") {
		return false
	}
	rest := *where
	for _, part := range split(&rest, "and") {
		part.Take("(")
		if name, ok := part.Name(); ok && (name == column || name == table+"."+column) && part.Take("is null") {
			part.Take(")")
			return part.Done()
		}
	}
	return false
}

// split splits at a word that stands outside of parentheses.
func split(r *script.Reader, word string) (parts []*script.Reader) {
	for {
		parts = append(parts, r.Until(word))
		if !r.Take(word) {
			return parts
		}
	}
}

// delete judges DELETE FROM, of which these words were read.
func (l *linter) delete(r *script.Reader) bool {
	r.Take("only")
	name, ok := r.Name()
	if !ok || isSystem(name) {
		return false
	}
	delete(l.state.copies, name)
	if l.schema.table(name).isNew || l.forgets(name, r) {
		return true
	}
	why := "Every row of " + name + " is lost"
	if r.Has("where") {
		why = "Rows of " + name + " are lost"
	}
	l.add(Destroys, why, recipeRows)
	return true
}

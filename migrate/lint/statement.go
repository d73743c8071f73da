package lint

import (
	"strings"

	"records/migrate/script"
)

// statement judges one statement and notes what it makes of the schema.
func (l *linter) statement(s script.Statement) {
	r := s.Read()
	known := l.alone(s)
	switch {
	case r.Take("create"):
		known = l.create(r, s)
	case r.Take("alter table"):
		known = l.alterTable(r)
	case r.Take("alter"):
		known = l.alterOther(r)
	case r.Take("drop"):
		known = l.drop(r)
	case r.Take("insert into"), r.Take("insert or"), r.Take("replace into"):
		known = l.insert(s)
	case r.Take("update"):
		known = l.update(r)
	case r.Take("delete from"):
		known = l.delete(r)
	case l.makesCounting(s):
		known = true
	case l.postgres():
		known = l.onlyPostgres(r) || known
	default:
		known = l.onlySQLite(r) || known
	}
	if !known {
		l.unknown("this statement")
	}
	if l.usesFunction(s) {
		l.unknown("the function that a migration has made and this uses")
	}
}

// alone judges whether a statement may and must run outside of a transaction. It
// reports whether that is all there is to say.
func (l *linter) alone(s script.Statement) bool {
	if !l.postgres() {
		return false
	}
	_, creates := s.CreatesIndex()
	_, drops := s.Drops("index")
	concurrently := s.Read().Has("concurrently") && (creates || drops || s.Read().Take("reindex"))
	repairable := concurrently && (drops || creates)
	switch {
	case concurrently && !l.script.NoTransaction:
		l.add(Locks, "CONCURRENTLY fails inside of a transaction, and the migration with it", recipeIndex)
	case l.script.NoTransaction && !repairable:
		l.add(Unknown, "Outside of a transaction, only CREATE INDEX CONCURRENTLY with a name and DROP INDEX CONCURRENTLY of one index can be repaired when they are interrupted", recipeUnknown)
		return true
	}
	return false
}

// create judges CREATE …, of which the first word was read.
func (l *linter) create(r *script.Reader, s script.Statement) bool {
	replaces := r.Take("or replace")
	switch {
	case replaces:
		l.add(Breaks, "The running program uses what is replaced", recipeTogether)
		if r.Take("function") || r.Take("procedure") {
			return l.noteFunction(r)
		}
		return r.Take("view") || r.Take("trigger") || r.Take("aggregate")
	case r.Take("table"):
		return l.createTable(r)
	case r.Take("index"), r.Take("unique index"):
		return l.createIndex(s)
	case r.Take("trigger"), r.Take("constraint trigger"):
		return l.createTrigger(r, s)
	case r.Take("policy"), r.Take("rule"):
		l.add(Breaks, "It changes what the running program's statements do", recipeTogether)
		return true
	}
	if l.postgres() && (r.Take("function") || r.Take("procedure")) {
		return l.noteFunction(r)
	}
	harmless := []string{"view", "materialized view", "sequence", "schema", "type", "domain", "statistics", "extension"}
	for _, kind := range harmless {
		if r.Take(kind) {
			return (l.postgres() || kind == "view") && !writes(r)
		}
	}
	return false
}

// drop judges DROP …, of which the first word was read.
func (l *linter) drop(r *script.Reader) bool {
	kinds := []string{"table", "index", "trigger", "materialized view", "view", "sequence", "type", "domain", "schema", "function", "procedure", "policy", "rule"}
	for _, kind := range kinds {
		if !r.Take(kind) {
			continue
		}
		concurrently := r.Take("concurrently")
		r.Take("if exists")
		if r.Has("cascade") {
			l.add(Destroys, "CASCADE drops whatever depends on it, too", recipeContract)
			l.add(Breaks, "CASCADE drops whatever depends on it, too", recipeContract)
		}
		if kind == "trigger" || kind == "policy" || kind == "rule" {
			return l.dropOne(kind, r)
		}
		for _, part := range r.Split(",") {
			name, ok := part.Name()
			if !ok {
				return false
			}
			l.dropNamed(kind, name, concurrently)
		}
		return true
	}
	return false
}

// dropOne judges what belongs to a table: DROP TRIGGER name [ON table].
func (l *linter) dropOne(kind string, r *script.Reader) bool {
	name, ok := r.Name()
	if kind != "trigger" {
		l.add(Breaks, "It changes what the running program's statements do", recipeTogether)
		return ok
	}
	table := ""
	if r.Take("on") {
		table, _ = r.Name()
	}
	l.dropTrigger(name, table)
	return ok
}

func (l *linter) dropNamed(kind, name string, concurrently bool) {
	switch kind {
	case "table":
		l.dropTable(name)
	case "index":
		if l.postgres() && !concurrently && !l.schema.indexes[name].isNew {
			l.add(Locks, "Readers and writers of the table wait for the lock, and all behind it while it is not to be had", recipeUnindex)
		}
		l.unindex(name)
		delete(l.schema.indexes, name)
	case "sequence", "schema":
		l.add(Destroys, "What is in "+name+" is lost", recipeContract)
		l.add(Breaks, "The running program may use "+name, recipeContract)
	default:
		l.add(Breaks, "The running program may use "+name, recipeContract)
	}
}

// dropTable waits with its verdict for the end of the file: a table that is
// dropped to be replaced by its copy is rebuilt.
func (l *linter) dropTable(name string) {
	old, known := l.schema.tables[name]
	if known && old.isNew {
		l.schema.drop(name)
		return
	}
	for t, trigger := range l.schema.triggers {
		if trigger.table == name {
			l.state.touched[t] = l.state.at
		}
	}
	for i, index := range l.schema.indexes {
		if index.table == name {
			l.unindex(i)
		}
	}
	l.state.dropped[name] = rebuilt{l.schema.table(name), l.state.at}
	l.schema.drop(name)
}

// alterOther judges ALTER of what is no table.
func (l *linter) alterOther(r *script.Reader) bool {
	switch {
	case r.Take("type"), r.Take("domain"):
		_, ok := r.Name()
		l.add(Breaks, "The running program does not know the changed type, and fails on a value that it does not know", recipeTogether)
		return ok && (r.Take("add value") || r.Take("rename value") || r.Take("rename to"))
	case r.Take("index"):
		r.Take("if exists")
		from, ok := r.Name()
		if !ok || !r.Take("rename to") {
			return false
		}
		to, ok := r.Name()
		l.renameKey(from, to)
		if i, known := l.schema.indexes[from]; known {
			l.schema.indexes[to] = i
			delete(l.schema.indexes, from)
		}
		return ok
	}
	return false
}

// onlyPostgres judges what only PostgreSQL has.
func (l *linter) onlyPostgres(r *script.Reader) bool {
	switch {
	case r.Take("truncate"):
		r.Take("table")
		r.Take("only")
		name, ok := r.Name()
		delete(l.state.copies, name)
		if !l.schema.table(name).isNew || r.Has("cascade") || r.Has(",") {
			l.add(Destroys, "Every row is lost", recipeRows)
		}
		return ok
	case r.Take("vacuum"):
		if r.Has("full") {
			l.add(Rewrites, "VACUUM FULL writes the table anew; readers and writers wait until it is done", recipeQuiet)
			return true
		}
	case r.Take("cluster"):
		l.add(Rewrites, "CLUSTER writes the table anew; readers and writers wait until it is done", recipeQuiet)
		return true
	case r.Take("reindex"):
		l.add(Locks, "Writers wait until the index is built", recipeQuiet)
		return true
	case r.Take("lock"):
		if !r.Has("in share row exclusive mode") { // which whatever adds or drops a reference takes
			l.add(Locks, "It holds a lock until the end of the migration", "Leave it out: the statements take the locks that they need")
		}
		return true
	case r.Take("refresh materialized view"):
		if !r.Take("concurrently") {
			l.add(Locks, "Readers of the view wait until it is filled", "Write REFRESH MATERIALIZED VIEW CONCURRENTLY")
		}
		return true
	case r.Take("revoke"):
		l.add(Breaks, "The running program may need what is revoked", recipeTogether)
		return true
	case r.Take("comment on"), r.Take("grant"), r.Take("analyze"), r.Take("set local work_mem"), r.Take("set local maintenance_work_mem"):
		return true
	}
	return false
}

// onlySQLite judges what only SQLite has. There is one writer at a time anyway, so
// that nothing is said of locks.
func (l *linter) onlySQLite(r *script.Reader) bool {
	switch {
	case r.Take("pragma"):
		// Atlas writes these around a rebuild. The runner sees to foreign keys itself.
		return strings.HasPrefix(r.String(), "foreign_keys = o") || strings.HasPrefix(r.String(), "defer_foreign_keys = o")
	case r.Take("analyze"), r.Take("reindex"):
		return true
	case r.Take("vacuum"):
		l.add(Rewrites, "VACUUM writes the whole file anew, and fails inside of a transaction", recipeQuiet)
		return true
	}
	return false
}

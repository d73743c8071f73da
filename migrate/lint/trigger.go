package lint

import (
	"records/migrate/script"
)

// createTrigger notes a trigger; what comes of all changes to it is judged at the
// end of the file.
func (l *linter) createTrigger(r *script.Reader, s script.Statement) bool {
	r.Take("if not exists")
	name, ok := r.Name()
	if !ok {
		return false
	}
	after := r.Take("after")
	r.Until("on")
	if !r.Take("on") {
		return false
	}
	t := trigger{text: s.Read().String()}
	if t.table, ok = r.Name(); !ok {
		return false
	}
	if !l.postgres() {
		t.body = triggerBody(r)
	} else if r.Until("execute"); after && r.Take("execute function") {
		if function, _ := r.Name(); l.schema.functions[function] != "" {
			t.body = []string{l.schema.functions[function]}
		}
	}
	l.schema.triggers[name] = t
	l.state.touched[name] = l.state.at
	return true
}

// dropTrigger notes that a trigger is dropped. table is "" where the statement does
// not say it.
func (l *linter) dropTrigger(name, table string) {
	t, known := l.schema.triggers[name]
	if !known {
		l.add(Breaks, "The running program relies on what the trigger "+name+" did", recipeTogether)
		return
	}
	if table != "" && t.table != table {
		l.add(Breaks, "The running program relies on what the trigger "+name+" of "+table+" did", recipeTogether)
	}
	delete(l.schema.triggers, name)
	l.state.touched[name] = l.state.at
}

// triggerBody returns the statements of a SQLite trigger that has no WHEN.
func triggerBody(r *script.Reader) (body []string) {
	r.Take("for each row")
	if !r.Take("begin") {
		return nil
	}
	for _, part := range r.Split(";") {
		if text := part.String(); text != "" && text != "end" {
			body = append(body, text)
		}
	}
	return body
}

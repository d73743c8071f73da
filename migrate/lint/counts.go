package lint

import (
	"slices"
	"strings"

	"records/migrate/counts"
	"records/migrate/script"
)

// How many records there are is kept by triggers (see migrate/counts). The program
// that still runs does not notice them: what they write, it does not read, or
// reads as right.

// makesCounting reports whether a statement makes one of the functions that count, in
// the schema in use, or puts it in the place of the one that is there. What counts may
// have been written otherwise before.
func (l *linter) makesCounting(s script.Statement) bool {
	if !l.postgres() {
		return false
	}
	if strings.Replace(s.Text, "CREATE OR REPLACE ", "CREATE ", 1) == counts.PostgresFunctions()[counts.SlotFunction] {
		return true // it takes a lock that nobody waits for
	}
	text, ok := counts.Inside(s.Text)
	if !ok {
		return false
	}
	inside, err := script.Parse("", []byte("-- +goose Up\n"+text), script.Postgres)
	if err != nil || len(inside.Statements) != 1 {
		return false
	}
	r := inside.Statements[0].Read()
	if !r.Take("create or replace function "+counts.Function) && !r.Take("create function "+counts.Function) {
		return false
	}
	l.schema.functions[counts.Function] = countingBody(r)
	return l.schema.functions[counts.Function] != ""
}

// countingBody returns the words of a function of PostgreSQL that does nothing but
// count, "" of any other.
func countingBody(r *script.Reader) string {
	if !r.Has("returns trigger language plpgsql") {
		return ""
	}
	r.Until("as")
	body := r.Peek(1)
	words, err := script.Words(body.Text, script.Postgres)
	if err != nil || body.Kind != script.Literal || !countsOnly(words) {
		return ""
	}
	return strings.Join(words, " ")
}

// countingCalls are what a counting body may call, and what else stands before a
// parenthesis in it.
var countingCalls = []string{
	"count", "hashtext", "pg_backend_pid", "pg_try_advisory_xact_lock", counts.SlotFunction,
	"starts_with", "current_query", "pg_trigger_depth", "array", "array_agg", "cardinality", "coalesce", "mod",
	counts.Table, "kept", "values", "conflict", "from",
}

// stoppers are words of what does something else, or could.
var stoppers = strings.Fields("alter call copy create do drop execute get grant listen lock merge notify open perform raise refresh reset revoke set truncate")

// countsOnly reports whether words write to the counts and nowhere else, and can
// make no statement fail of themselves. It takes a word for what it could be.
func countsOnly(words []string) bool {
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return words[i]
	}
	writes := false
	for i, word := range words {
		switch {
		case word == "insert" && at(i+1) == "into", word == "delete" && at(i+1) == "from":
			if at(i+2) != counts.Table || at(i+3) == "." {
				return false
			}
			writes = true
		case word == "do" && at(i+1) == "update" && at(i+2) == "set", word == "update" && at(i-1) == "do", word == "set" && at(i-2) == "do":
		case word == "insert", word == "delete", word == "update", slices.Contains(stoppers, word):
			return false
		case at(i+1) == "(" && isName(word) && !slices.Contains(countingCalls, word):
			return false
		}
	}
	return writes
}

// isName reports whether a word may be the name of a function, and is no sign.
func isName(word string) bool {
	return len(word) > 1 || word != "" && strings.IndexByte("()=<>+-*/%,;:|", word[0]) < 0
}

// addsToCounts reports whether an INSERT into the counts only adds to those that
// are there, as counts.Mend does.
func addsToCounts(into string, r *script.Reader) bool {
	rest := *r
	for into == counts.Table && !rest.Done() {
		if rest.Take("do update set n = " + counts.Table + " . n + excluded . n") {
			return rest.Done()
		}
		rest.Next()
	}
	return false
}

// forgets reports whether a DELETE removes the counts of a table that is gone.
func (l *linter) forgets(from string, r *script.Reader) bool {
	rest := *r
	if from != counts.Table || !rest.Take("where resource =") {
		return false
	}
	table := rest.Next()
	_, there := l.schema.tables[table.Text]
	return table.Kind == script.Literal && !there && rest.Done()
}

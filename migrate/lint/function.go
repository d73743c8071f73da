package lint

import (
	"slices"
	"strings"

	"records/migrate/script"
)

// usesFunction reports whether a statement uses a function that a migration has
// made, in whatever way: any mention of its name will do. One that only counts is
// known.
func (l *linter) usesFunction(s script.Statement) bool {
	return !aboutFunctions(s.Read()) && slices.ContainsFunc(s.Tokens, func(t script.Token) bool {
		counting, made := l.schema.functions[t.Text]
		return t.Kind != script.Literal && made && counting == ""
	})
}

// aboutFunctions reports whether a statement only makes, drops or describes what it
// names.
func aboutFunctions(r *script.Reader) bool {
	if r.Take("create") {
		r.Take("or replace")
		return r.Take("function") || r.Take("procedure")
	}
	return r.Take("drop") || r.Take("alter function") || r.Take("alter procedure") || r.Take("comment on") || r.Take("grant") || r.Take("revoke")
}

// noteFunction keeps the name of a function that is created. What it does is not
// looked at, unless it only counts, so that whatever uses it is unknown.
func (l *linter) noteFunction(r *script.Reader) bool {
	name, ok := r.Name()
	l.schema.functions[name[strings.LastIndexByte(name, '.')+1:]] = countingBody(r)
	return ok
}

// writes reports whether a query holds, in a WITH, what changes rows.
func writes(r *script.Reader) bool {
	rest := *r
	for before := (script.Token{}); !rest.Done(); {
		t := rest.Next()
		harmless := before.Is("do") || before.Is("for") || before.Is("key") || before.Is("on") // UPDATE
		if t.Is("delete") || t.Is("merge") || t.Is("insert") || t.Is("update") && !harmless {
			return true
		}
		before = t
	}
	return false
}

// isSystem reports whether a table is the database's own, or the runner's.
func isSystem(name string) bool {
	return name == "schema_migrations" || name == "schema_history" || strings.HasPrefix(name, "sqlite_") || strings.HasPrefix(name, "pg_") || strings.HasPrefix(name, "information_schema.")
}

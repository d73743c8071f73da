package database

import (
	"regexp"
	"strings"
)

// kind is what a statement does, as far as it matters for where it goes and
// whether it may be sent again.
type kind int

const (
	other kind = iota // anything else, scripts included: it may write, and is never repeated
	read
	insert
	update
	remove
)

// writing finds the words that make a WITH statement more than a read.
var writing = regexp.MustCompile(`(?i)\b(insert|update|delete|merge)\b`)

// kindOf tells a statement's kind by its first word. In doubt it is other. A
// SELECT that calls a function with lasting effect is taken for a read: such a
// function must bear being called twice.
func kindOf(query string) kind {
	query = strings.TrimSpace(query)
	if isScript(query) {
		return other
	}
	word := query
	if i := strings.IndexFunc(query, notLetter); i >= 0 {
		word = query[:i]
	}
	switch strings.ToUpper(word) {
	case "SELECT", "VALUES", "SHOW":
		return read
	case "INSERT":
		return insert
	case "UPDATE":
		return update
	case "DELETE":
		return remove
	case "WITH":
		if !writing.MatchString(query) {
			return read
		}
	}
	return other
}

// isScript reports whether query may hold more than one statement. A literal or a
// trigger's body that holds a semicolon looks like it too.
func isScript(query string) bool {
	i := strings.IndexByte(query, ';')
	return i >= 0 && strings.TrimSpace(query[i+1:]) != ""
}

func notLetter(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
}

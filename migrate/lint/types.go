package lint

import (
	"slices"
	"strings"

	"records/migrate/script"
)

func (l *linter) changeType(t *table, c *column, r *script.Reader) bool {
	to := r.Until("using", "collate").String()
	from := c.kind
	c.kind = to
	if t.isNew || r.Done() && widens(from, to) {
		return true
	}
	l.add(Rewrites, "Every row is written anew, and every index on the column; readers and writers wait until it is done", recipeType)
	if i, j := slices.Index(integers, from), slices.Index(integers, to); i < 0 || j < i {
		l.add(Breaks, "The running program reads and writes the column in its old type", recipeType)
	}
	return true
}

// integers are the types of whole numbers, each of which holds those before it.
var integers = []string{"smallint", "integer", "bigint"}

// widens reports whether every value of a type is one of another, stored alike.
func widens(from, to string) bool {
	if widensNumeric(strings.Fields(from), strings.Fields(to)) {
		return true
	}
	from, fromMost := text(from)
	to, toMost := text(to)
	if from == "" || to == "" {
		return false
	}
	return toMost == "" || fromMost != "" && (len(fromMost) < len(toMost) || len(fromMost) == len(toMost) && fromMost <= toMost)
}

// widensNumeric reports it of numeric(p, s), given in words: p may grow, s stays.
func widensNumeric(from, to []string) bool {
	exact := func(words []string) bool { return len(words) > 0 && (words[0] == "numeric" || words[0] == "decimal") }
	if !exact(from) || !exact(to) {
		return false
	}
	if len(to) == 1 {
		return true
	}
	if len(from) != 6 || len(to) != 6 || from[4] != to[4] { // numeric ( p , s )
		return false
	}
	return len(from[2]) < len(to[2]) || len(from[2]) == len(to[2]) && from[2] <= to[2]
}

// text splits a type of text into its name and the most characters it takes, ""
// for any number. The name is "" for another type.
func text(kind string) (name, most string) {
	words := strings.Fields(kind)
	if i := slices.Index(words, "("); i > 0 && i+2 < len(words) {
		most, words = words[i+1], words[:i]
	}
	switch strings.Join(words, " ") {
	case "text", "varchar", "character varying":
		return "text", most
	}
	return "", ""
}

package diff

import (
	"regexp"
	"strings"
)

// statement is one statement of a migration.
type statement struct {
	comment string   // what it does, in words
	allow   []string // the lines that allow what `records migrate lint` would refuse
	text    string   // without the last semicolon
	alters  string   // the table that it alters, or the first of the new ones, if there is one
	begins  bool     // it locks what the others of its file need, and is the first of them
}

// newStatement makes a statement.
func newStatement(comment, text string) statement {
	return statement{comment: comment, text: setNull(strings.TrimSuffix(text, ";"))}
}

// altering says of statements which table they alter.
func altering(table string, statements []statement) {
	for i := range statements {
		statements[i].alters = table
	}
}

// String is the statement as it stands in a file of goose. One with semicolons
// inside is marked, so that it is not split there.
func (s statement) String() string {
	text := ""
	for _, line := range append([]string{s.comment}, s.allow...) {
		if line != "" {
			text += "-- " + line + "\n"
		}
	}
	text += s.text + ";\n"
	if strings.Contains(s.text, ";\n") {
		text = "-- +goose StatementBegin\n" + text + "-- +goose StatementEnd\n"
	}
	return text
}

// String is the file of a step. There is no way down: a database goes back by a
// new migration, so that no data is dropped by a mistyped word.
func (s step) String() string {
	text := "-- +goose Up\n"
	if s.alone {
		text += "-- +goose NO TRANSACTION\n"
	}
	for _, statement := range s.statements {
		text += statement.String()
	}
	return text
}

// compositeSetNull finds ON DELETE SET NULL behind a foreign key whose first
// column is the workspace.
var compositeSetNull = regexp.MustCompile(`(FOREIGN KEY \("workspace_id", ("\w+")\) REFERENCES [^()]+\([^()]+\) (?:ON UPDATE [A-Z ]+ )?ON DELETE SET NULL)\b`)

// setNull names the one column that is set to null; without it PostgreSQL
// would set the workspace to null too. It needs PostgreSQL 15.
func setNull(cmd string) string { return compositeSetNull.ReplaceAllString(cmd, "$1 ($2)") }

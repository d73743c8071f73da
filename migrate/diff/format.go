package diff

import (
	"regexp"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
)

// format writes a plan as a goose migration. There is no way down: a database
// goes back by a new migration, so that no data is dropped by a mistyped word.
type format struct{ version string }

// Format implements atlas.Formatter.
func (f format) Format(plan *atlas.Plan) ([]atlas.File, error) {
	var b strings.Builder
	b.WriteString("-- +goose Up\n")
	for _, change := range plan.Changes {
		b.WriteString(statement(change.Comment, setNull(change.Cmd)))
	}
	return []atlas.File{atlas.NewLocalFile(f.version+"_"+plan.Name+".sql", []byte(b.String()))}, nil
}

// statement is one statement of a migration file. One with semicolons inside
// is marked, so that it is not split there.
func statement(comment, cmd string) string {
	text := strings.TrimSuffix(cmd, ";") + ";\n"
	if comment != "" {
		text = "-- " + comment + "\n" + text
	}
	if strings.Contains(cmd, ";\n") {
		text = "-- +goose StatementBegin\n" + text + "-- +goose StatementEnd\n"
	}
	return text
}

// compositeSetNull finds ON DELETE SET NULL behind a foreign key whose first
// column is the workspace.
var compositeSetNull = regexp.MustCompile(`(FOREIGN KEY \("workspace_id", ("\w+")\) REFERENCES [^()]+\([^()]+\) (?:ON UPDATE [A-Z ]+ )?ON DELETE SET NULL)\b`)

// setNull names the one column that is set to null; without it PostgreSQL
// would set the workspace to null too. It needs PostgreSQL 15.
func setNull(cmd string) string { return compositeSetNull.ReplaceAllString(cmd, "$1 ($2)") }

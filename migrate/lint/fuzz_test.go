package lint_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/migrate/lint"
	"records/migrate/script"
)

// No statement makes lint panic, and one that names a table of the base to drop it
// is found.
func FuzzJudge(f *testing.F) {
	for _, text := range []string{
		"ALTER TABLE tasks ADD COLUMN a text DEFAULT (", "CREATE TRIGGER t ON tasks FOR EACH ROW BEGIN; END", "INSERT INTO a (b) SELECT", "UPDATE a SET", "DROP",
		"CREATE UNIQUE INDEX ON", "ALTER TABLE a RENAME", "PRAGMA", "CREATE TABLE a (CONSTRAINT", "ALTER TABLE a ALTER b TYPE c (", "DELETE FROM", "-- allow : :\nDROP TABLE x",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(strings.ToLower(text), "records:") {
			return // it may be allowed
		}
		for d, quotes := range map[string]script.Quotes{dialect.Postgres: script.Postgres, dialect.SQLite: script.SQLite} {
			before, err := script.Parse("base.sql", []byte(base), quotes)
			if err != nil {
				t.Fatal(err)
			}
			file, err := script.Parse("x.sql", []byte("-- +goose Up\n"+text+"\n;-- the end\nDROP TABLE projects;"), quotes)
			if err != nil || len(file.Statements) == 0 || file.Statements[len(file.Statements)-1].Text != "DROP TABLE projects" {
				continue
			}
			if findings := lint.Pending(d, []*script.File{before, file}, 1); len(findings) == 0 {
				t.Errorf("%s: nothing is found in %q", d, text)
			}
		}
	})
}

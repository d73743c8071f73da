package diff_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"records/internal/database"
	"records/migrate/diff"
	"records/migrate/lint"
	"records/migrate/script"
)

// asks tries to write what has changed without a reason: nothing is written.
func (l *lab) asks(t *testing.T) {
	t.Helper()
	before := l.names(t, dialect.Postgres)
	if _, err := l.write(t, ""); err == nil || !strings.Contains(err.Error(), "say why: make migration name=") {
		t.Errorf("without a reason: %v", err)
	}
	if after := l.names(t, dialect.Postgres); len(after) != len(before) {
		t.Errorf("without a reason it wrote %v", after)
	}
}

// names are the migrations of a dialect, oldest first.
func (l *lab) names(t *testing.T, d string) (names []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(l.folders[d], "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range all {
		names = append(names, filepath.Base(n))
	}
	slices.Sort(names)
	return names
}

// lintsClean holds the migrations from the given one on to what lint asks of them:
// no finding but that older programs are shut out, and no more allowed than has to
// be.
func (l *lab) lintsClean(t *testing.T, from int) {
	t.Helper()
	for d, folder := range l.folders {
		var files []*script.File
		for _, n := range l.names(t, d) {
			text, err := os.ReadFile(filepath.Join(folder, n))
			if err != nil {
				t.Fatal(err)
			}
			f, err := script.Parse(n, text, map[string]script.Quotes{dialect.Postgres: script.Postgres, dialect.SQLite: script.SQLite}[d])
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		for _, f := range lint.Unsafe(lint.Pending(d, files, from)) {
			t.Errorf("%s:%d %s: %s: %s (%s)", f.Dialect, f.Line, f.Rule, f.Statement, f.Why, f.File)
		}
	}
}

// A reason for what is lost does not let the last release go on where it cannot;
// what no release has had shuts nobody out.
func TestWhoIsShutOut(t *testing.T) {
	each(t, func(t *testing.T, dev *database.DB, folder string) {
		d := declaration(t)
		addColumn(&d, "tasks", schema.Column{Name: "lab_note", Type: field.TypeString, Nullable: true})
		write := func(released int64) (string, bool) {
			r := request(d, "nobody uses it")
			r.Released = released
			reports, err := diff.Write(t.Context(), r, diff.Target{Dev: dev, Folder: folder})
			if err != nil {
				t.Fatal(err)
			}
			return textOf(t, reports[0].Files), reports[0].ShutsOut
		}
		if text, shut := write(20980101000000); shut || strings.Contains(text, "records:") {
			t.Errorf("a new column: %t\n%s", shut, text)
		}
		dropColumn(&d, "tasks.lab_note")
		if text, shut := write(20980101000000); shut || !strings.Contains(text, ", breaks: nobody uses it\n") {
			t.Errorf("one that no release has had: %t\n%s", shut, text)
		}
		dropColumn(&d, "tasks.priority")
		if text, shut := write(20980101000000); !shut || strings.Contains(text, ", breaks") || !strings.Contains(text, "-- records: shuts out older programs: nobody uses it\n") {
			t.Errorf("one that the last release has: %t\n%s", shut, text)
		}
	})
}

package diff_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

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
// no finding, and no more allowed than has to be.
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
		for _, f := range lint.Pending(d, files, from) {
			t.Errorf("%s:%d %s: %s: %s (%s)", f.Dialect, f.Line, f.Rule, f.Statement, f.Why, f.File)
		}
	}
}

package lint_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/migrate/lint"
)

// A comment with a reason silences exactly the rules that it names.
func TestOverrides(t *testing.T) {
	t.Parallel()
	both(t, []testCase{
		{"-- records: allow destroys, breaks: nobody has used it since March\nDROP TABLE tasks;", ""},
		{"--records:allow destroys,breaks:why not\n-- drop it\nDROP TABLE tasks;", ""},
		{"-- drop the tasks\n-- records: allow destroys: gone\n-- records: allow breaks: released before\nDROP TABLE tasks;", ""},
		{"-- records: allow destroys: gone\nDROP TABLE tasks;", "breaks"},
		{"-- records: allow breaks: gone\nDROP TABLE tasks;", "destroys"},
		{"-- records: allow destroys, breaks, rewrites: gone\nDROP TABLE tasks;", "override destroys breaks"},
		{"-- records: allow destroys, breaks:  \nDROP TABLE tasks;", "override destroys breaks"},
		{"-- records: allow destroys, breaks\nDROP TABLE tasks;", "override destroys breaks"},
		{"-- records: allow everything: gone\nDROP TABLE tasks;", "override destroys breaks"},
		{"-- records: destroys, breaks: gone\nDROP TABLE tasks;", "override destroys breaks"},
		{"-- records: allow destroys: nothing to do with it\nCREATE TABLE t (id uuid);", "override"},
		{"DROP TABLE tasks; -- records: allow destroys, breaks: beside it\n", "destroys breaks override"},
		{"DROP TABLE\n-- records: allow destroys, breaks: within it\ntasks;", "destroys breaks override"},
		{"/* records: allow destroys, breaks: not a line */\nDROP TABLE tasks;", "destroys breaks override"},
		{"DROP TABLE tasks;\n-- records: allow destroys, breaks: below it\n", "destroys breaks override"},
		{"-- records: allow destroys, breaks: the first\nDROP TABLE tasks;\nDROP TABLE projects;", "destroys breaks"},
		{"-- records: allow unknown: looked at by hand\nSELECT f();", ""},
		{"-- records: allow destroys, rewrites, locks, breaks: all four\nSELECT f();", "override unknown"},
		{"-- records: allow override: ha\nSELECT f();", "override unknown"},
	})
}

// Where older programs are shut out knowingly, that is told, and nobody has to do
// anything about it.
func TestShutsOut(t *testing.T) {
	t.Parallel()
	for sql, want := range map[string]string{
		"-- records: allow destroys: gone\n-- records: shuts out older programs: all are stopped\nDROP TABLE tasks;":         "",
		"-- records: allow destroys, breaks: gone\n-- records: shuts out older programs: all are stopped\nDROP TABLE tasks;": "",
		"-- records: shuts out older programs: all are stopped\nSELECT f();":                                                 "",
		"-- records: shuts out older programs: all are stopped\nDROP TABLE tasks;":                                           "destroys",
	} {
		for _, d := range []string{dialect.Postgres, dialect.SQLite} {
			findings := judge(t, d, sql)
			last := findings[len(findings)-1]
			if got := rules(lint.Unsafe(findings)); got != want || last.Known != "all are stopped" || !last.ShutsOut() {
				t.Errorf("%s\ngives %q, want %q: %+v", sql, got, want, findings)
			}
		}
	}
	both(t, []testCase{
		{"-- records: shuts out older programs\nDROP TABLE tasks;", "override destroys breaks"},
		{"-- records: shuts out older programs: \nDROP TABLE tasks;", "override destroys breaks"},
		{"-- records: shuts out everyone: why not\nDROP TABLE tasks;", "override destroys breaks"},
		{"-- records: shuts out older programs: for nothing\nDELETE FROM tasks;", "override destroys"},
	})
}

// What is done to a table of the same step is harmless; what one migration does to
// the table of a former one is not, judged by itself.
func TestPendingAndEach(t *testing.T) {
	t.Parallel()
	files := parsed(t, dialect.Postgres, "CREATE TABLE t (a text, b text);", "ALTER TABLE t DROP COLUMN b;", "DROP TABLE t;")
	for from, want := range []string{"", "destroys breaks destroys breaks", "destroys breaks", ""} {
		if got := rules(lint.Pending(dialect.Postgres, files, from)); got != want {
			t.Errorf("pending from %d: %q, want %q", from, got, want)
		}
	}
	// An override that only one of the two needs is no fault in the other.
	allowed := parsed(t, dialect.Postgres, "CREATE TABLE t (a text, b text);", "-- records: allow destroys, breaks: unused\nALTER TABLE t DROP COLUMN b;")
	if got := rules(lint.Pending(dialect.Postgres, allowed, 0)); got != "" {
		t.Errorf("allowed: %q", got)
	}
	if got := rules(lint.Each(dialect.Postgres, files, 0)); got != "destroys breaks destroys breaks" {
		t.Errorf("each: %q", got)
	}
}

// An override that is needed where several migrations are applied after a first one is
// no fault, neither in a look at all of them, nor in one at each.
func TestOverrideOfAStep(t *testing.T) {
	t.Parallel()
	files := parsed(t, dialect.Postgres,
		"CREATE TABLE t (a text);",
		"-- records: allow breaks: new\nALTER TABLE t ADD CONSTRAINT a_required CHECK (a IS NOT NULL) NOT VALID;",
		"ALTER TABLE t VALIDATE CONSTRAINT a_required;\n-- records: allow breaks: new\nALTER TABLE t ALTER COLUMN a SET NOT NULL;",
	)
	for from := range files {
		if got := append(lint.Pending(dialect.Postgres, files, from), lint.Each(dialect.Postgres, files, from)...); len(got) > 0 {
			t.Errorf("from %d: %+v", from, got)
		}
	}
}

func TestLinesAndStatements(t *testing.T) {
	t.Parallel()
	findings := judge(t, dialect.Postgres, "-- +goose Up\n\n-- a comment\nCREATE TABLE t (\n  id uuid\n);\n-- +goose StatementBegin\nDO $$\nBEGIN\nEND $$;\n-- +goose StatementEnd\nALTER TABLE tasks\n  DROP COLUMN status;\n")
	if len(findings) != 3 || findings[0].Line != 8 || findings[0].Statement != "DO $$ …" || findings[1].Line != 12 || findings[1].Statement != "ALTER TABLE tasks …" {
		t.Errorf("found %+v", findings)
	}
	long := judge(t, dialect.Postgres, "DROP TABLE "+strings.Repeat("ä", 300))
	if n := len([]rune(long[0].Statement)); n > 130 {
		t.Errorf("a statement is told with %d characters", n)
	}
}

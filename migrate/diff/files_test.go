package diff_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"records/migrate/diff"
)

// Both dialects have the same versions, each in a file; what must run outside
// of a transaction is alone in its own.
func TestVersionsGoInStep(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	change := func(d *diff.Declaration) {
		refer(d, "tasks", "company_id", "companies")
		addIndex(d, "tasks", false, "status")
		addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString, Nullable: true})
	}
	l.evolve(t, "because", change)
	l.evolve(t, "because", func(d *diff.Declaration) {
		columnOf(d, "tasks.lab_severity").Nullable, d.Backfills["tasks.lab_severity"] = false, "low"
	})
	want := []string{
		"20990101000000_missing.sql",
		"20990101000001_missing_validate.sql",
		"20990101000002_missing_index_task_workspace_id_status.sql",
		"20990101000003_missing_index_tasks_company_id.sql",
		"20990101000004_missing.sql", // later than those, though it was asked for at the same time
		"20990101000005_missing_fill.sql",
		"20990101000006_missing_validate.sql",
	}
	for d, folder := range l.folders {
		names, err := filepath.Glob(filepath.Join(folder, "2099*"))
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			names[i] = filepath.Base(name)
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			alone := strings.Contains(string(text), "\n-- +goose NO TRANSACTION\n")
			if alone != (d == dialect.Postgres && strings.Contains(name, "_index_")) || alone && strings.Count(string(text), ";\n") != 1 {
				t.Errorf("%s: %s", d, text)
			}
			if empty := strings.Contains(string(text), "Nothing to do here"); empty != (d == dialect.SQLite && !strings.HasSuffix(name, "_missing.sql")) {
				t.Errorf("%s: %s is\n%s", d, name, text)
			}
			if strings.Contains(string(text), "PRAGMA") {
				t.Errorf("%s: %s", d, text)
			}
		}
		if !slices.Equal(names, want) {
			t.Errorf("%s: %q", d, names)
		}
	}
}

// Names that PostgreSQL would cut off, or give twice, are made to fit, and stay
// what they are.
func TestNames(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	long := strings.Repeat("long_", 9)
	l.evolve(t, "because", func(d *diff.Declaration) {
		addTable(d, "a", &schema.Column{Name: "b", Type: field.TypeString})
		addTable(d, "a_b", &schema.Column{Name: "c", Type: field.TypeString})
		addTable(d, long+"s")
	})
	says, texts := l.evolve(t, "because", func(d *diff.Declaration) {
		refer(d, "a", "b_c_id", "tasks") // both: a_b_c_id
		refer(d, "a_b", "c_id", "tasks")
		refer(d, long+"s", long+"company_id", "companies")
		refer(d, long+"s", long+"contact_id", "contacts") // the same in its first 63 bytes
		refer(d, "tasks", long+"company_id", "companies")
		table(d, "a").Indexes = append(table(d, "a").Indexes, &schema.Index{Name: "tasks", Columns: []*schema.Column{columnOf(d, "a.b")}})
	})
	l.secondIsEmpty(t)
	for d, db := range l.dbs {
		if strings.Contains(texts[d], `"a_b_c_id"`) || strings.Contains(says[d], "renamed") {
			t.Errorf("%s says\n%s\nwrites\n%s", d, says[d], texts[d])
		}
		guarded(t, l.declaration, db)
	}
}

// A default of several lines, whatever they look like, is read back as it was
// written: a second migration has nothing to do.
func TestDefaultsOfSeveralLinesSettle(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for i, text := range []string{"Regards\n-- \nThe team", "one; \ntwo;\nthree", "a\n-- +goose Down\n-- +goose StatementEnd\n\r\nb", "/* it's\n*/ \\ $$\n"} {
		addColumn(&l.declaration, "tasks", schema.Column{Name: fmt.Sprint("lab_", i), Type: field.TypeString, Default: text})
	}
	if _, err := l.write(t, ""); err != nil {
		t.Fatal(err)
	}
	l.secondIsEmpty(t)
}

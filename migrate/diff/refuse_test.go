package diff_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"records/internal/database"
	"records/migrate/diff"
)

// refusals are changes that need a word of the developer's, and what the
// message holds. With the reason, those that lose data are written.
var refusals = map[string]struct {
	before, change func(*diff.Declaration)
	holds          []string
	reasonHelps    bool
}{
	"a required field": {
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString})
		},
		holds: []string{"ent/schema/task.go: lab_severity is new and required", `annotation.Backfill("…")`, "static Default", "Optional().Nillable()"},
	},
	"a required list": {
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_labels", Type: field.TypeJSON})
		},
		holds: []string{"lab_labels is new and required", `annotation.Backfill("…"), or make it Optional()`},
	},
	"a unique field of which all old records get the same": {
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_code", Type: field.TypeString, Nullable: true})
			d.Backfills["tasks.lab_code"] = "none"
			addIndex(d, "tasks", true, "lab_code")
		},
		holds: []string{"ent/schema/task.go: lab_code is new and unique, and all old records of a workspace would get the same", "without a Backfill or a Default"},
	},
	"unique fields of which all old records get the same": {
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_code", Type: field.TypeString, Default: "a"})
			addColumn(d, "tasks", schema.Column{Name: "lab_part", Type: field.TypeInt, Default: 1})
			addIndex(d, "tasks", true, "lab_code", "lab_part")
		},
		holds: []string{"ent/schema/task.go: lab_code with lab_part is new and unique"},
	},
	"an optional field becomes required": {
		change: func(d *diff.Declaration) { columnOf(d, "tasks.priority").Nullable = false },
		holds:  []string{"ent/schema/task.go: priority becomes required", `annotation.Backfill("…")`},
	},
	"a removed field": {
		change:      func(d *diff.Declaration) { dropColumn(d, "tasks.priority") },
		holds:       []string{"ent/schema/task.go: priority is gone", "would be lost", "with a reason: make migration name=missing reason='"},
		reasonHelps: true,
	},
	"a unique index on what is there": {
		change:      func(d *diff.Declaration) { addIndex(d, "tasks", true, "name", "status") },
		holds:       []string{`create index "task_workspace_id_name_status" to table: "tasks": The running program may write duplicates`, "reason='"},
		reasonHelps: true,
	},
	"a field renamed from what there is not": {
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.priority").Name = "lab_urgency"
			d.Renames["tasks.lab_urgency"] = "priorty"
		},
		holds: []string{"ent/schema/task.go: lab_urgency is to have what is in priorty, and there is no priorty in the database", `write annotation.RenamedFrom("priority")`},
	},
	"a new field renamed from what there is not": {
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_urgency", Type: field.TypeString, Nullable: true})
			d.Renames["tasks.lab_urgency"] = "priorty"
		},
		holds: []string{"there is no priorty in the database: remove annotation.RenamedFrom"},
	},
	"a field that may have been renamed": {
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_points", Type: field.TypeInt, Nullable: true})
			columnOf(d, "tasks.name").Name = "lab_title"
			columnOf(d, "tasks.lab_title").Default = "untitled"
		},
		holds:       []string{`if it was renamed to lab_title, say so there with annotation.RenamedFrom("name")`, "reason='"},
		reasonHelps: true,
	},
	"a field that is renamed to what a removed one was called": {
		change: func(d *diff.Declaration) {
			dropColumn(d, "tasks.status")
			columnOf(d, "tasks.priority").Name = "status"
			d.Renames["tasks.status"] = "priority"
		},
		holds: []string{"ent/schema/task.go: status is to have what is in priority", "write two migrations", `remove annotation.RenamedFrom("priority")`},
	},
	"a field that is renamed to what another one was called": {
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.status").Name = "lab_state"
			columnOf(d, "tasks.priority").Name = "status"
			d.Renames["tasks.status"] = "priority"
		},
		holds: []string{"ent/schema/task.go: status is to have what is in priority", "write two migrations"},
	},
	"a removed resource": {
		change:      func(d *diff.Declaration) { dropTable(d, "invoices") },
		holds:       []string{"invoices", "no schema declares the table invoices any more", "reason='"},
		reasonHelps: true,
	},
	"a wider number": {
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_points", Type: field.TypeInt16, Nullable: true})
		},
		change:      func(d *diff.Declaration) { columnOf(d, "tasks.lab_points").Type = field.TypeInt64 },
		holds:       []string{"ent/schema/task.go: lab_points changes from smallint to bigint", "writes the whole table anew", "reason='"},
		reasonHelps: true,
	},
	"a narrower number": {
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_points", Type: field.TypeInt64, Nullable: true})
		},
		change: func(d *diff.Declaration) { columnOf(d, "tasks.lab_points").Type = field.TypeInt16 },
		holds:  []string{"lab_points changes from bigint to smallint", "add a field of another name"},
	},
	"text becomes a number": {
		change: func(d *diff.Declaration) { columnOf(d, "tasks.priority").Type = field.TypeInt },
		holds:  []string{"priority changes from character varying to bigint", "add a field of another name"},
	},
	"a list of texts becomes one of numbers": {
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_tags", Type: field.TypeJSON, Nullable: true})
			d.Kinds["tasks.lab_tags"] = "texts"
		},
		change: func(d *diff.Declaration) { d.Kinds["tasks.lab_tags"] = "integers" },
		holds:  []string{"ent/schema/task.go: lab_tags changes from texts to integers", "would be misread", "add a field of another name", "remove this one"},
	},
	"a number becomes a duration, and has another name": {
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_hours", Type: field.TypeInt64, Nullable: true})
			d.Kinds["tasks.lab_hours"] = "int64"
		},
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.lab_hours").Name = "lab_effort"
			d.Renames["tasks.lab_effort"] = "lab_hours"
			delete(d.Kinds, "tasks.lab_hours")
			d.Kinds["tasks.lab_effort"] = "duration"
		},
		holds: []string{"ent/schema/task.go: lab_effort changes from int64 to duration", "add a field of another name"},
	},
	"a reference to another resource": {
		change: func(d *diff.Declaration) {
			keys := table(d, "tasks").ForeignKeys
			fk := keys[slices.IndexFunc(keys, func(fk *schema.ForeignKey) bool { return fk.Columns[0].Name == "project_id" })]
			fk.RefTable, fk.Symbol = table(d, "companies"), "tasks_companies_project"
		},
		holds: []string{"project_id refers to companies now, and its values to projects", "add a field of another name"},
	},
	"all at once": {
		change: func(d *diff.Declaration) {
			dropColumn(d, "tasks.priority")
			dropTable(d, "invoices")
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString})
		},
		holds: []string{"lab_severity", "priority", "invoices"},
	},
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, c := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			if c.before != nil {
				l.evolve(t, "", c.before)
			}
			files := l.files(t)
			c.change(&l.declaration)
			_, err := l.write(t, "")
			if err == nil {
				t.Fatal("it was written")
			}
			for _, part := range c.holds {
				if strings.Count(err.Error(), part) < 1 {
					t.Errorf("the message lacks %q: %v", part, err)
				}
			}
			if lines := strings.Count(err.Error(), "\n  "); lines != strings.Count(err.Error(), "ent/schema/") && lines != 1 && name != "all at once" {
				t.Errorf("it asks more than once: %v", err)
			}
			if after := l.files(t); after != files {
				t.Errorf("it wrote %s", after)
			}
			if _, err := l.write(t, "because"); (err == nil) != c.reasonHelps {
				t.Errorf("with a reason: %v", err)
			}
		})
	}
}

// files are the names and sizes of all migrations.
func (l *lab) files(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	for _, d := range []string{dialect.Postgres, dialect.SQLite} {
		entries, err := os.ReadDir(l.folders[d])
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, err := os.ReadFile(l.folders[d] + "/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			all.WriteString(e.Name() + "\n" + string(text))
		}
	}
	return all.String()
}

// A reason of several lines would end the comment that it stands in.
func TestReasonIsOneLine(t *testing.T) {
	each(t, func(t *testing.T, dev *database.DB, folder string) {
		r := request(declaration(t), "well;\nDROP TABLE tasks")
		if _, err := diff.Write(t.Context(), r, diff.Target{Dev: dev, Folder: folder}); err == nil {
			t.Error("it was taken")
		}
	})
}

package diff_test

import (
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"records/migrate/diff"
)

// evolutions are changes of the schemas on tables that have rows.
var evolutions = map[string]struct {
	before func(*diff.Declaration) // what is there already, in a migration of its own
	change func(*diff.Declaration)
	reason string
	says   string // on PostgreSQL; SQLite adds where a table is written anew
	writes map[string][]string
	holds  []string // conditions that every row of tasks meets afterwards
	serves bool     // the older program, which knows none of it, goes on creating records
	breaks bool     // it is written only with a reason, since lint would refuse it
	only   string   // the one dialect that has anything to do
}{
	"an optional field": {
		serves: true,
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString, Nullable: true})
		},
		says:  "tasks: new column lab_severity",
		holds: []string{"lab_severity IS NULL"},
	},
	"a field with a default": {
		serves: true,
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString, Default: "it's low"})
		},
		says:  "tasks: new column lab_severity (old records get 'it''s low')",
		holds: []string{"lab_severity = 'it''s low'"},
	},
	"a required field": {
		serves: true,
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString})
			d.Backfills["tasks.lab_severity"] = "low"
		},
		says:  "tasks: new column lab_severity (old records get 'low')",
		holds: []string{"lab_severity = 'low'"},
		writes: map[string][]string{
			dialect.Postgres: {`ADD COLUMN "lab_severity" character varying NOT NULL DEFAULT 'low'`},
			dialect.SQLite:   {"ALTER TABLE `tasks` ADD COLUMN `lab_severity` text NOT NULL DEFAULT 'low'"},
		},
	},
	"two optional fields become required": {
		breaks: true,
		serves: true,
		change: func(d *diff.Declaration) {
			for name, value := range map[string]any{"description": "none", "priority": "low"} {
				columnOf(d, "tasks."+name).Nullable = false
				d.Backfills["tasks."+name] = value
			}
		},
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString, Nullable: true})
		},
		holds: []string{"description IS NOT NULL", "priority IS NOT NULL"},
	},
	"a new kind of field, under a name that was free": {
		serves: true,
		change: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_tags", Type: field.TypeJSON, Nullable: true})
			d.Kinds["tasks.lab_tags"] = "integers"
		},
		before: func(d *diff.Declaration) { d.Kinds["tasks.lab_tags"] = "texts" }, // of a migration that was taken back
		says:   "tasks: new column lab_tags",
	},
	"a kind whose values another one reads": {
		change: func(d *diff.Declaration) {
			d.Kinds["tasks.lab_level"], d.Kinds["tasks.priority"] = "int16", "enum"
		},
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_level", Type: field.TypeInt8, Nullable: true})
			d.Kinds["tasks.lab_level"] = "int8"
		},
	},
	"an optional field becomes required": {
		breaks: true,
		serves: true,
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.description").Nullable = false
			d.Backfills["tasks.description"] = "none"
		},
		before: func(d *diff.Declaration) { columnOf(d, "tasks.description").Default = "old" },
		says:   "tasks: description is required (old records without one get 'none')",
		holds:  []string{"description IS NOT NULL", "description <> ''"},
		writes: map[string][]string{
			dialect.Postgres: {`CHECK ("description" IS NOT NULL) NOT VALID`, `UPDATE "tasks" SET "description" = DEFAULT WHERE "description" IS NULL`, "VALIDATE CONSTRAINT", "SET NOT NULL", "DROP CONSTRAINT"},
		},
	},
	"a required field becomes optional": {
		breaks: true,
		serves: true,
		change: func(d *diff.Declaration) { columnOf(d, "tasks.name").Nullable = true },
		says:   "tasks: name is optional",
	},
	"another default": {
		serves: true,
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString, Default: "low"})
		},
		change: func(d *diff.Declaration) { columnOf(d, "tasks.lab_severity").Default = "high" },
		says:   "tasks: lab_severity has the default 'high'",
		holds:  []string{"lab_severity = 'low'"},
	},
	"a longer text": {
		change: func(d *diff.Declaration) { columnOf(d, "tasks.name").Size = 1000 },
	},
	"a wider number": {
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_points", Type: field.TypeInt16, Default: 7})
		},
		change: func(d *diff.Declaration) { columnOf(d, "tasks.lab_points").Type = field.TypeInt64 },
		reason: "a few rows",
		says:   "tasks: lab_points has another type",
		only:   dialect.Postgres,
		holds:  []string{"lab_points = 7"},
		writes: map[string][]string{dialect.Postgres: {"-- records: allow rewrites: a few rows\nALTER TABLE \"tasks\" ALTER COLUMN \"lab_points\" TYPE bigint"}},
	},
	"a number becomes text": {
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_points", Type: field.TypeInt, Nullable: true})
		},
		change: func(d *diff.Declaration) { columnOf(d, "tasks.lab_points").Type = field.TypeString },
		reason: "a few rows",
		says:   "tasks: lab_points has another type",
	},
	"an id becomes text": {
		change: func(d *diff.Declaration) { columnOf(d, "tasks.assignee_id").Type = field.TypeString },
		reason: "a few rows",
		says:   "tasks: assignee_id has another type",
		holds:  []string{"assignee_id LIKE '0190163d-8694-739b-aea5-966c26f8ad9_'"},
	},
	"text becomes an enum": {
		change: func(d *diff.Declaration) { columnOf(d, "tasks.status").Type = field.TypeEnum },
	},
	"a renamed field": {
		breaks: true,
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.name").Name = "lab_title"
			d.Renames["tasks.lab_title"] = "name"
		},
		says:  "tasks: name renamed to lab_title",
		holds: []string{"lab_title <> ''"},
	},
	"a renamed field with an index": {
		breaks: true,
		before: func(d *diff.Declaration) { addIndex(d, "tasks", true, "name", "id") },
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.name").Name = "lab_title"
			dropIndexes(d, "tasks")
			addIndex(d, "tasks", true, "lab_title", "id")
			d.Renames["tasks.lab_title"] = "name"
		},
		says: "tasks: name renamed to lab_title, index task_workspace_id_name_id renamed to task_workspace_id_lab_title_id",
	},
	"a renamed reference": {
		breaks: true,
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.project_id").Name = "main_project_id"
			table(d, "tasks").ForeignKeys[1].Symbol = "tasks_projects_main_project"
			d.Renames["tasks.main_project_id"] = "project_id"
		},
		says:  "tasks: project_id renamed to main_project_id, index tasks_project_id renamed to tasks_main_project_id",
		holds: []string{"main_project_id IN (SELECT id FROM projects)"},
		writes: map[string][]string{
			dialect.Postgres: {"RENAME CONSTRAINT"},
			dialect.SQLite:   {"DROP TRIGGER `projects_clear_references`", "SET `main_project_id` = NULL"},
		},
	},
	"a removed field": {
		change: func(d *diff.Declaration) { dropColumn(d, "tasks.priority") },
		reason: "nobody has used it since v1.2",
		says:   "tasks: priority dropped, with what is in it",
		writes: map[string][]string{
			dialect.Postgres: {"-- records: allow destroys: nobody has used it since v1.2\n-- records: shuts out older programs: nobody has used it since v1.2\nALTER TABLE \"tasks\" DROP COLUMN \"priority\""},
			dialect.SQLite:   {"-- records: allow destroys, rewrites: nobody has used it since v1.2\n-- records: shuts out older programs: nobody has used it since v1.2\nALTER TABLE `tasks` DROP COLUMN `priority`"},
		},
	},
	"a removed field with an index": {
		before: func(d *diff.Declaration) { addIndex(d, "tasks", false, "priority") },
		change: func(d *diff.Declaration) {
			dropIndexes(d, "tasks")
			dropColumn(d, "tasks.priority")
		},
		reason: "unused",
		says:   "tasks: priority dropped, with what is in it, index task_workspace_id_priority dropped",
	},
	"a removed reference": {
		change: func(d *diff.Declaration) { dropColumn(d, "tasks.project_id") },
		reason: "unused",
		says:   "tasks: project_id dropped, with what is in it, index tasks_project_id dropped, project_id refers to nothing any more",
		writes: map[string][]string{dialect.SQLite: {"-- records: allow destroys, rewrites: unused\n-- records: shuts out older programs: unused\nDROP TABLE `tasks`"}},
	},
	"a reference becomes any id": {
		breaks: true,
		change: func(d *diff.Declaration) {
			tasks := table(d, "tasks")
			tasks.ForeignKeys = slices.DeleteFunc(tasks.ForeignKeys, func(fk *schema.ForeignKey) bool { return fk.Columns[0].Name == "project_id" })
		},
		says:  "tasks: index tasks_project_id dropped, project_id refers to nothing any more",
		holds: []string{"project_id IN (SELECT id FROM projects)"},
	},
	"a removed resource": {
		change: func(d *diff.Declaration) { dropTable(d, "invoices") },
		reason: "billed elsewhere",
		says:   "invoices: dropped, with all records",
		writes: map[string][]string{
			dialect.Postgres: {"-- records: allow destroys: billed elsewhere\n-- records: shuts out older programs: billed elsewhere\nDROP TABLE \"invoices\""},
			dialect.SQLite:   {"-- records: allow destroys: billed elsewhere\n-- records: shuts out older programs: billed elsewhere\nDROP TABLE `invoices`"},
		},
	},
	"a removed resource that others refer to": {
		before: func(d *diff.Declaration) { dropReferences(d, "tasks", "project_id", "projects") },
		change: func(d *diff.Declaration) {
			dropColumn(d, "tasks.project_id")
			dropTable(d, "projects")
		},
		reason: "unused",
		says:   "projects: dropped, with all records\ntasks: project_id dropped, with what is in it, index tasks_project_id dropped, project_id refers to nothing any more",
	},
	"removed resources that refer to each other": {
		change: func(d *diff.Declaration) {
			gone := []string{"projects", "invoices", "deals", "contacts", "companies"}
			dropReferences(d, "tasks", "", gone...)
			for _, name := range gone {
				dropTable(d, name)
			}
		},
		reason: "a list of tasks is all",
	},
	"no default any more": {
		breaks: true,
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeString})
			d.Backfills["tasks.lab_severity"] = "low"
		},
		change: func(d *diff.Declaration) { delete(d.Backfills, "tasks.lab_severity") },
		says:   "tasks: lab_severity has no default any more",
		holds:  []string{"lab_severity = 'low'"},
	},
	"a new reference": {
		serves: true,
		change: func(d *diff.Declaration) { refer(d, "tasks", "company_id", "companies") },
		says:   "tasks: new reference company_id (companies)",
		holds:  []string{"company_id IS NULL"},
		writes: map[string][]string{
			dialect.Postgres: {`ON DELETE SET NULL ("company_id") NOT VALID;`, "VALIDATE CONSTRAINT",
				"-- +goose Up\n-- +goose NO TRANSACTION\n-- create index \"tasks_company_id\" to table: \"tasks\"\nCREATE INDEX CONCURRENTLY \"tasks_company_id\" ON \"tasks\" (\"workspace_id\", \"company_id\") WHERE (company_id IS NOT NULL);\n"},
		},
	},
	"a reference to the same resource": {
		serves: true,
		change: func(d *diff.Declaration) { refer(d, "tasks", "parent_id", "tasks") },
		says:   "tasks: new reference parent_id (tasks)",
		holds:  []string{"parent_id IS NULL"},
		writes: map[string][]string{dialect.SQLite: {"`parent_id` = OLD.`id` AND `id` <> OLD.`id`"}},
	},
	"an id becomes a reference": {
		breaks: true,
		before: func(d *diff.Declaration) {
			addColumn(d, "tasks", schema.Column{Name: "company_id", Type: field.TypeUUID, Nullable: true})
		},
		change: func(d *diff.Declaration) { referFrom(d, "tasks", columnOf(d, "tasks.company_id"), "companies") },
		says:   "tasks: company_id refers to companies now (refused while one names no record)",
	},
	"an index": {
		serves: true,
		change: func(d *diff.Declaration) { addIndex(d, "tasks", false, "status") },
		says:   "tasks: new index task_workspace_id_status",
		writes: map[string][]string{
			dialect.Postgres: {"-- +goose NO TRANSACTION\n-- create index \"task_workspace_id_status\" to table: \"tasks\"\nCREATE INDEX CONCURRENTLY"},
		},
	},
	"a unique index": {
		breaks: true,
		change: func(d *diff.Declaration) { addIndex(d, "tasks", true, "id") },
		says:   "tasks: new unique index task_workspace_id_id (refused while two records have the same)",
		writes: map[string][]string{dialect.Postgres: {"CREATE UNIQUE INDEX CONCURRENTLY"}},
	},
	"a removed index": {
		serves: true,
		before: func(d *diff.Declaration) { addIndex(d, "tasks", false, "status") },
		change: func(d *diff.Declaration) { dropIndexes(d, "tasks") },
		says:   "tasks: index task_workspace_id_status dropped",
		writes: map[string][]string{dialect.Postgres: {"-- +goose NO TRANSACTION\n-- drop index \"task_workspace_id_status\" from table: \"tasks\"\nDROP INDEX CONCURRENTLY"}},
	},
	"an index that becomes unique": {
		breaks: true,
		before: func(d *diff.Declaration) { addIndex(d, "tasks", false, "id") },
		change: func(d *diff.Declaration) { table(d, "tasks").Indexes[0].Unique = true },
		says:   "tasks: index task_workspace_id_id dropped, new unique index task_workspace_id_id (refused while two records have the same)",
	},
	"a rule": {
		breaks: true,
		change: func(d *diff.Declaration) { checks(d, "named", "name <> '' OR status IS NULL") },
		says:   "tasks: new rule named (refused while a record breaks it)",
		writes: map[string][]string{
			dialect.Postgres: {`ADD CONSTRAINT "named" CHECK (((name)::text <> ''::text) OR (status IS NULL)) NOT VALID`, `VALIDATE CONSTRAINT "named"`},
			dialect.SQLite:   {"CONSTRAINT `named` CHECK (\"name\" <> '' OR \"status\" IS NULL)"},
		},
	},
	"a rule with lists": {
		breaks: true,
		change: func(d *diff.Declaration) {
			checks(d, "both", "(status IS NULL OR name <> '') AND (name <> 'a' OR priority IS NULL)",
				"one_of", "status IN ('open', 'done', 'in progress') OR NOT name IN ('a', 'b') OR priority IN ('high')")
		},
		says: "tasks: new rule both (refused while a record breaks it), new rule one_of (refused while a record breaks it)",
	},
	"another rule": {
		breaks: true,
		before: func(d *diff.Declaration) { checks(d, "named", "name <> ''") },
		change: func(d *diff.Declaration) { checks(d, "named", "name <> 'none'") },
		says:   "tasks: rule named dropped, new rule named (refused while a record breaks it)",
	},
	"a rule that is removed": {
		serves: true,
		before: func(d *diff.Declaration) { checks(d, "named", "name <> ''") },
		change: func(d *diff.Declaration) { table(d, "tasks").Annotation.Checks = nil },
		says:   "tasks: rule named dropped",
	},
	"a rule on a field that is renamed, and on new ones": {
		before: func(d *diff.Declaration) { checks(d, "named", "name <> ''") },
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.name").Name = "lab_title"
			d.Renames["tasks.lab_title"] = "name"
			addColumn(d, "tasks", schema.Column{Name: "order", Type: field.TypeInt, Nullable: true})
			addColumn(d, "tasks", schema.Column{Name: "lab_paid", Type: field.TypeOther, Nullable: true, SchemaType: map[string]string{dialect.Postgres: "numeric(19,4)", dialect.SQLite: "text"}})
			d.Kinds["tasks.lab_paid"] = "decimal"
			checks(d, "named", "lab_title <> ''", "new_paid", "order = 1 OR lab_paid >= 0")
		},
		reason: "no release has had it",
	},
	"a field that is removed with its rule": {
		before: func(d *diff.Declaration) { checks(d, "named", "name <> status") },
		change: func(d *diff.Declaration) {
			table(d, "tasks").Annotation.Checks = nil
			dropColumn(d, "tasks.status")
		},
		reason: "no release has had it",
	},
	"new resources that refer to each other": {
		serves: true,
		change: func(d *diff.Declaration) {
			addTable(d, "lab_tickets", &schema.Column{Name: "subject", Type: field.TypeString})
			addTable(d, "lab_answers", &schema.Column{Name: "text", Type: field.TypeString})
			refer(d, "lab_tickets", "lab_answer_id", "lab_answers")
			refer(d, "lab_tickets", "contact_id", "contacts")
			refer(d, "lab_answers", "lab_ticket_id", "lab_tickets")
			addIndex(d, "lab_tickets", true, "subject")
		},
		says:   "lab_answers: new table, 1 index, 1 reference (lab_tickets)\nlab_tickets: new table, 3 indexes, 2 references (contacts, lab_answers)",
		writes: map[string][]string{dialect.Postgres: {"CREATE UNIQUE INDEX \"lab_ticket_workspace_id_subject\""}},
	},
	"much at once": {
		change: func(d *diff.Declaration) {
			columnOf(d, "tasks.name").Name = "lab_title"
			d.Renames["tasks.lab_title"] = "name"
			dropColumn(d, "tasks.priority")
			addColumn(d, "tasks", schema.Column{Name: "lab_severity", Type: field.TypeInt})
			d.Backfills["tasks.lab_severity"] = 3
			refer(d, "tasks", "company_id", "companies")
			addIndex(d, "tasks", false, "lab_title")
			addTable(d, "lab_tickets", &schema.Column{Name: "subject", Type: field.TypeString})
			refer(d, "lab_tickets", "task_id", "tasks")
			columnOf(d, "deals.stage").Nullable = false
			d.Backfills["deals.stage"] = "new"
			dropTable(d, "invoices")
		},
		reason: "all at once",
		holds:  []string{"lab_severity = 3", "lab_title <> ''", "company_id IS NULL"},
	},
}

func TestEvolutions(t *testing.T) {
	t.Parallel()
	for name, e := range evolutions {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newLab(t)
			if e.before != nil {
				l.evolve(t, "before", e.before)
				for _, db := range l.dbs {
					run(t, db, "UPDATE tasks SET description = NULL, priority = NULL WHERE name LIKE 'C%'")
				}
			}
			before := l.contents(t)
			from := len(l.names(t, dialect.Postgres))
			e.change(&l.declaration)
			if e.breaks {
				l.asks(t)
				e.reason = "nobody runs the older program"
			}
			says, texts := l.evolve(t, e.reason)
			l.kept(t, before)
			l.lintsClean(t, from)
			l.secondIsEmpty(t)
			for d, db := range l.dbs {
				if want := strings.ReplaceAll(says[d], ", the table is written anew", ""); e.says != "" && e.says != want && (e.only == "" || e.only == d || want != "") {
					t.Errorf("%s says\n%s", d, says[d])
				}
				for _, text := range e.writes[d] {
					if !strings.Contains(texts[d], text) {
						t.Errorf("%s: %q is not in\n%s", d, text, texts[d])
					}
				}
				for _, condition := range e.holds {
					if n := count(t, db, "tasks WHERE ("+condition+") IS NOT TRUE"); n != 0 {
						t.Errorf("%s: not so in %d tasks: %s", d, n, condition)
					}
				}
				if e.serves {
					fill(t, db)
				}
				guarded(t, l.declaration, db)
				if d == dialect.Postgres {
					finished(t, db)
				}
			}
		})
	}
}

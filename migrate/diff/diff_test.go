package diff_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate/diff"
)

// Migrating from nothing gives exactly what the schemas declare. Where this
// fails, a schema was changed without a migration, or a migration edited.
func TestMigrationsGiveWhatTheSchemasDeclare(t *testing.T) {
	each(t, func(t *testing.T, dev *database.DB, folder string) {
		if missing := write(t, dev, folder); missing != "" {
			t.Errorf("the migrations lack:\n%s", missing)
		}
	})
}

// What is missing is found and written.
func TestDifferencesAreFound(t *testing.T) {
	t.Parallel()
	for d, cases := range map[string]map[string][2]string{
		dialect.SQLite: {
			"an index": {"CREATE INDEX `tasks_project_id` ON `tasks` (`workspace_id`, `project_id`) WHERE project_id IS NOT NULL;", "tasks_project_id"},
			"a column": {"`phone` text NULL, `owner_id`", "`phone`"},
			"a count": {"+goose StatementBegin\nCREATE TRIGGER `tasks_count_insert` AFTER INSERT ON `tasks` FOR EACH ROW BEGIN\n" +
				"  INSERT INTO `record_counts` (`workspace_id`, `resource`, `slot`, `n`) VALUES (NEW.`workspace_id`, 'tasks', 0, 1)\n" +
				"    ON CONFLICT (`workspace_id`, `resource`, `slot`) DO UPDATE SET `n` = `n` + excluded.`n`;\nEND;\n-- +goose StatementEnd", "tasks_count_insert"},
			"another count":   {"VALUES (OLD.`workspace_id`, 'tasks', 0, -1)", "tasks_count_delete"},
			"a key's trigger": {"SET `generation` = lower(hex(randomblob(16))) WHERE EXISTS", "api_keys_renew_generation_replace"},
			"a trigger":       {"  UPDATE `deals` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;\n", "companies_clear_references"},
		},
		dialect.Postgres: {
			"an index":                {`CREATE INDEX "tasks_project_id" ON "tasks" ("workspace_id", "project_id") WHERE (project_id IS NOT NULL);`, "tasks_project_id"},
			"a column":                {`"phone" character varying NULL, "owner_id"`, `"phone"`},
			"a count":                 {`CREATE TRIGGER "tasks_count_insert" AFTER INSERT ON "tasks" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();`, "SELECT workspace_id, 'tasks', -1"},
			"another count":           {`AFTER TRUNCATE ON "tasks"`, `CREATE OR REPLACE TRIGGER "tasks_count_truncate" AFTER TRUNCATE`},
			"another way of counting": {`records[i] := -records[i];`, "CREATE OR REPLACE FUNCTION %1$I.count_records()"},
			"a key's trigger":         {` OR DELETE OR TRUNCATE ON "api_keys"`, `CREATE OR REPLACE TRIGGER "api_keys_renew_generation"`},
			"a foreign key":           {` ON DELETE SET NULL ("project_id")`, `ON DELETE SET NULL ("project_id")`},
		},
	} {
		for name, c := range cases {
			t.Run(d+"/"+name, func(t *testing.T) {
				t.Parallel()
				folder, by := folderOf(t, d), ""
				if name == "a column" {
					by = c[0][strings.LastIndex(c[0], ", ")+2:]
				}
				if name == "another count" {
					by = map[string]string{dialect.SQLite: "VALUES (OLD.`workspace_id`, 'tasks', 0, 0)", dialect.Postgres: `AFTER UPDATE ON "tasks"`}[d]
				}
				if name == "a key's trigger" {
					by = map[string]string{dialect.SQLite: "SET `generation` = 'same' WHERE EXISTS", dialect.Postgres: ` ON "api_keys"`}[d]
				}
				if name == "another way of counting" {
					by = "records[i] := 0;"
				}
				edit(t, folder, c[0], by)
				if name == "a count" { // which a later migration that copies the table takes away first
					replace(t, folder, "DROP TRIGGER `"+c[1]+"`;", "")
				}
				missing := write(t, dbtest.OpenURL(t, dbtest.EmptyURL(t, d)), folder)
				if !strings.Contains(missing, c[1]) || strings.Contains(missing, "CREATE TABLE") {
					t.Errorf("it writes:\n%s", missing)
				}
			})
		}
	}
}

// A table of keys that SQLite copies has its triggers again, and a key that is
// changed by hand renews the generation.
func TestRebuiltKeysKeepTheirTriggers(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.evolve(t, "because", func(d *diff.Declaration) {
		for _, t := range d.Tables {
			if t.Name == "api_keys" {
				column, _ := t.Column("prefix")
				column.Nullable = true
			}
		}
	})
	for d, db := range l.dbs {
		var before, after string
		run(t, db, "INSERT INTO api_keys (id, name, hash, prefix, scope, created_at, workspace_id) SELECT '00000000-0000-7000-8000-000000000000', 'n', 'h', 'p', 'write', created_at, id FROM workspaces LIMIT 1")
		generation := func(into *string) {
			if err := db.SQL().QueryRow("SELECT generation FROM key_generations").Scan(into); err != nil {
				t.Error(err)
			}
		}
		generation(&before)
		run(t, db, "UPDATE api_keys SET scope = 'read'")
		if generation(&after); after == before {
			t.Errorf("%s: the generation is not renewed", d)
		}
	}
}

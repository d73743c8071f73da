package diff_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
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
			"an index":  {"CREATE INDEX `tasks_project_id` ON `tasks` (`workspace_id`, `project_id`) WHERE project_id IS NOT NULL;", "tasks_project_id"},
			"a column":  {"`phone` text NULL, `owner_id`", "`phone`"},
			"a trigger": {"  UPDATE `deals` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;\n", "companies_clear_references"},
		},
		dialect.Postgres: {
			"an index":      {`CREATE INDEX "tasks_project_id" ON "tasks" ("workspace_id", "project_id") WHERE (project_id IS NOT NULL);`, "tasks_project_id"},
			"a column":      {`"phone" character varying NULL, "owner_id"`, `"phone"`},
			"a foreign key": {` ON DELETE SET NULL ("project_id")`, `ON DELETE SET NULL ("project_id")`},
		},
	} {
		for name, c := range cases {
			t.Run(d+"/"+name, func(t *testing.T) {
				t.Parallel()
				folder, by := folderOf(t, d), ""
				if name == "a column" {
					by = c[0][strings.LastIndex(c[0], ", ")+2:]
				}
				edit(t, folder, c[0], by)
				missing := write(t, dbtest.OpenURL(t, dbtest.EmptyURL(t, d)), folder)
				if !strings.Contains(missing, c[1]) || strings.Contains(missing, "CREATE TABLE") {
					t.Errorf("it writes:\n%s", missing)
				}
			})
		}
	}
}

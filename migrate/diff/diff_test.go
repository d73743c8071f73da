package diff_test

import (
	"path/filepath"
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

// What the shipped migrations say of the keys' triggers is what is wanted, on both
// databases: the comparison of PostgreSQL does not see triggers.
func TestKeyTriggersAreThere(t *testing.T) {
	t.Parallel()
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		folder := folderOf(t, d)
		names, err := filepath.Glob(filepath.Join(folder, "*.sql"))
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(t, names)
		for name, wanted := range diff.KeyTriggers(d) {
			if !strings.Contains(text, wanted+";\n") {
				t.Errorf("%s: no migration makes %s as it is wanted", d, name)
			}
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

package lint_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"
)

// What changes rows behind a statement that seems harmless is unknown.
func TestHiddenWrites(t *testing.T) {
	t.Parallel()
	const wipe = "CREATE FUNCTION wipe() RETURNS int LANGUAGE sql AS $$ DELETE FROM tasks; SELECT 1 $$; "
	run(t, dialect.Postgres, []testCase{
		{`CREATE TABLE z AS WITH d AS (DELETE FROM tasks RETURNING id) SELECT id FROM d;`, "unknown"},
		{`CREATE TABLE z AS WITH d AS (UPDATE tasks SET name = '' RETURNING id) SELECT id FROM d;`, "unknown"},
		{`CREATE TABLE IF NOT EXISTS tasks AS WITH d AS (DELETE FROM projects RETURNING id) SELECT id FROM d;`, "unknown"},
		{`CREATE MATERIALIZED VIEW z AS WITH d AS (DELETE FROM tasks RETURNING id) SELECT id FROM d;`, "unknown"},
		{`INSERT INTO projects (id) WITH d AS (MERGE INTO tasks USING projects ON true WHEN MATCHED THEN DELETE RETURNING id) SELECT id FROM d;`, "unknown"},
		{`INSERT INTO projects (id) WITH d AS (WITH e AS (SELECT 1) UPDATE tasks SET name = '' RETURNING id) SELECT id FROM d;`, "unknown"},
		{`CREATE TABLE z AS SELECT id FROM tasks FOR UPDATE;`, ""},
		{wipe, ""},
		{wipe + `CREATE TABLE z AS SELECT wipe();`, "unknown"},
		{wipe + `CREATE TABLE z AS SELECT "public"."wipe" ();`, "unknown"},
		{wipe + `CREATE MATERIALIZED VIEW z AS SELECT wipe();`, "unknown"},
		{wipe + `INSERT INTO projects (rank) SELECT wipe();`, "unknown"},
		{wipe + `CREATE TABLE z (a int DEFAULT wipe());`, "unknown"},
		{wipe + `COMMENT ON FUNCTION wipe() IS 'x'; GRANT EXECUTE ON FUNCTION wipe() TO x; CREATE TABLE z AS SELECT 'wipe()';`, ""},
		{"CREATE OR REPLACE PROCEDURE other.p() LANGUAGE sql AS ''; CREATE TABLE z AS SELECT other.p();", "breaks unknown"},
		{`UPDATE pg_attribute SET attname = 'x' WHERE attname IS NULL;`, "unknown"},
		{"ALTER TABLE tasks ADD COLUMN a text -- note\r, DROP COLUMN status, ADD COLUMN b text\n NULL;", "destroys breaks"},
	})
	run(t, dialect.SQLite, []testCase{
		{"CREATE TABLE IF NOT EXISTS \"TASKS\" (id uuid); DELETE FROM \"TASKS\";", "destroys"},
		{"CREATE TABLE IF NOT EXISTS [TASKS] (id uuid); DELETE FROM `Tasks`;", "destroys"},
		{"UPDATE OR REPLACE tasks SET name = 'x' WHERE name IS NULL;", "unknown"},
		{"UPDATE sqlite_schema SET sql = '' WHERE sql IS NULL;", "unknown"},
		{"DELETE FROM sqlite_schema;", "unknown"},
		{"CREATE TABLE IF NOT EXISTS schema_history (a int);", "unknown"},
		{"UPDATE schema_migrations SET version = 1 WHERE version IS NULL;", "unknown"},
		{"CREATE VIEW v AS SELECT * FROM tasks;\n-- +goose StatementBegin\nCREATE TRIGGER t INSTEAD OF INSERT ON v FOR EACH ROW BEGIN DELETE FROM tasks; END;\n-- +goose StatementEnd\nINSERT INTO v (id) VALUES (1);", "unknown"},
		{"INSERT INTO Sqlite_Sequence (name) VALUES ('x');", "unknown"},
		{"CREATE TABLE z (a int);\n-- +goose StatementBegin\nCREATE TRIGGER t AFTER INSERT ON z FOR EACH ROW BEGIN DELETE FROM tasks; END;\n-- +goose StatementEnd\nINSERT INTO z (a) VALUES (1);", "unknown"},
	})
}

// What is there already is not taken for new.
func TestIfNotExists(t *testing.T) {
	t.Parallel()
	run(t, dialect.Postgres, []testCase{
		{`ALTER TABLE tasks ADD COLUMN IF NOT EXISTS status text; ALTER TABLE tasks DROP COLUMN status;`, "destroys breaks"},
		{`ALTER TABLE tasks ADD COLUMN IF NOT EXISTS status text; ALTER TABLE tasks RENAME COLUMN status TO state;`, "breaks"},
		{`ALTER TABLE tasks ADD COLUMN IF NOT EXISTS status text; UPDATE tasks SET status = 'x';`, "destroys locks"},
		{`ALTER TABLE unheard_of ADD COLUMN IF NOT EXISTS a text; ALTER TABLE unheard_of DROP COLUMN a;`, "destroys breaks"},
		{`ALTER TABLE tasks ADD COLUMN IF NOT EXISTS a text; ALTER TABLE tasks DROP COLUMN a;`, ""},
		{`CREATE TABLE z (a text); CREATE UNIQUE INDEX IF NOT EXISTS tasks_name ON z (a); DROP INDEX tasks_name;`, "locks breaks"},
	})
}

// A condition on another table's column says nothing of the one that is updated.
func TestConditionsOfUpdates(t *testing.T) {
	t.Parallel()
	for where, want := range map[string]string{
		"tasks SET status = 'x' FROM projects q WHERE q.status IS NULL":                                  "destroys",
		"tasks AS t SET status = 'x' FROM projects AS tasks WHERE tasks.status IS NULL":                  "destroys",
		"tasks t SET status = 'x' FROM projects WHERE t.status IS NULL":                                  "",
		"public.tasks SET status = 'x' FROM projects q WHERE tasks.status IS NULL AND q.id = project_id": "",
	} {
		if got := rules(judge(t, dialect.SQLite, strings.Replace("UPDATE "+where, "public.", "main.", 1))); got != want {
			t.Errorf("%s: %q; want %q", where, got, want)
		}
		if got, _, _ := strings.Cut(rules(judge(t, dialect.Postgres, "UPDATE "+where)), "locks"); strings.TrimSpace(got) != want {
			t.Errorf("%s: %q; want %q", where, got, want)
		}
	}
}

// The running program relies on a unique index as on a constraint.
func TestUniqueIndexIsDropped(t *testing.T) {
	t.Parallel()
	const again = "CREATE UNIQUE INDEX tasks_name ON tasks (workspace_id, name);"
	run(t, dialect.Postgres, []testCase{
		{"-- +goose Up\n-- +goose NO TRANSACTION\nDROP INDEX CONCURRENTLY tasks_name;", "breaks"},
		{"-- +goose Up\n-- +goose NO TRANSACTION\nDROP INDEX CONCURRENTLY unheard_of;", "breaks"},
		{"ALTER INDEX tasks_name RENAME TO n; DROP INDEX n;", "locks breaks"},
		{"CREATE UNIQUE INDEX n ON tasks (workspace_id, name); DROP INDEX tasks_name;", "locks breaks locks"}, // of the new one
		{"ALTER TABLE tasks DROP COLUMN name; DROP INDEX tasks_name;", "destroys breaks locks"},
		{"CREATE TABLE z (a text); CREATE UNIQUE INDEX i ON z (a); DROP INDEX i;", ""},
		{"ALTER INDEX tasks_pkey RENAME TO p;", "breaks"},
	})
	run(t, dialect.SQLite, []testCase{
		{"DROP INDEX tasks_name;", "breaks"},
		{"DROP INDEX tasks_name;" + again, ""},
		{"DROP INDEX tasks_name; CREATE INDEX tasks_name ON tasks (workspace_id, name);", "breaks"},
		{"DROP INDEX tasks_name; CREATE UNIQUE INDEX tasks_name ON tasks (status);", "breaks breaks"},
		{strings.Replace(rebuild(taskColumns, taskCopied), "CREATE UNIQUE INDEX", "CREATE INDEX", 1), "rewrites breaks"},
	})
}

// A copy that is not the old table with all its rows and rules is told.
func TestRebuildsThatLose(t *testing.T) {
	t.Parallel()
	plain := rebuild(taskColumns, taskCopied)
	with := func(old, changed string) string { return strings.Replace(plain, old, changed, 1) }
	copying := func(status string) string {
		return with("SELECT `workspace_id`, `id`, `name`, `status`", "SELECT `workspace_id`, `id`, `name`, "+status)
	}
	before := func(statement string) string { return with("DROP TABLE", statement+";\nDROP TABLE") }
	run(t, dialect.SQLite, []testCase{
		{before("DELETE FROM new_tasks WHERE rank > 1"), "destroys rewrites"},
		{before("UPDATE new_tasks SET name = ''"), "destroys rewrites"},
		{before("REPLACE INTO new_tasks (id) VALUES ('a')"), "destroys rewrites"},
		{before("ALTER TABLE new_tasks RENAME COLUMN status TO x; ALTER TABLE new_tasks RENAME COLUMN name TO status; ALTER TABLE new_tasks RENAME COLUMN x TO name"), "destroys rewrites breaks breaks"},
		{with("INSERT INTO", "INSERT OR IGNORE INTO"), "destroys rewrites"},
		{with("INSERT INTO", "INSERT OR REPLACE INTO"), "destroys rewrites"},
		{copying("coalesce(`status`, 1) IS NULL"), "rewrites destroys"},
		{copying("ifnull(`status`, 1) + 0"), "rewrites destroys"},
		{copying("ifnull(`status`, max(`rank`))"), "rewrites destroys"},
		{copying("'status'"), "rewrites destroys"},
		{with("REFERENCES `projects` (`workspace_id`, `id`)", "REFERENCES `projects` (`workspace_id`, `id`) ON DELETE CASCADE"), "rewrites breaks"},
		{with("REFERENCES `projects` (`workspace_id`, `id`)", "REFERENCES `others` (`workspace_id`, `id`)"), "rewrites breaks"},
		{with("REFERENCES `projects` (`workspace_id`, `id`)", "REFERENCES `projects` (`workspace_id`, `id`) ON UPDATE NO ACTION ON DELETE NO ACTION"), "rewrites"},
		{with("CHECK (`rank` >= 0)", "CHECK (`rank` >= 9)"), "rewrites breaks"},
		{with("`status` text NULL", "`status` text NULL UNIQUE"), "rewrites breaks"},
		{with("`status` text NULL", "`status` text NULL CHECK (`status` <> '')"), "rewrites breaks"},
		{with("`status` text NULL", "`status` text NULL REFERENCES `projects` (`id`)"), "rewrites breaks"},
		{with("`status` text NULL", "`status` text COLLATE NOCASE NULL"), "rewrites breaks"},
		{with("`status` text NULL", "`status` text NULL GENERATED ALWAYS AS (`name`) VIRTUAL"), "rewrites breaks"},
		{with(">= 0));", ">= 0)) STRICT;"), "rewrites breaks"},
	})
}

// SQLite refuses some columns, and the migration fails.
func TestColumnsThatSQLiteRefuses(t *testing.T) {
	t.Parallel()
	run(t, dialect.SQLite, []testCase{
		{"ALTER TABLE tasks ADD COLUMN x datetime DEFAULT CURRENT_TIMESTAMP;", "breaks"},
		{"ALTER TABLE tasks ADD COLUMN x text UNIQUE;", "breaks"},
		{"ALTER TABLE tasks ADD COLUMN x integer PRIMARY KEY;", "breaks"},
		{"CREATE TABLE z (a text); ALTER TABLE z ADD COLUMN x text UNIQUE;", "breaks"},
		{"ALTER TABLE tasks ADD COLUMN x real NOT NULL DEFAULT -1.5;", ""},
		{"ALTER TABLE tasks ADD COLUMN x bool NOT NULL DEFAULT false;", ""},
	})
}

// What PostgreSQL does without looking at the rows is not found, and what a type is
// called does not matter.
func TestFormsOfPostgres(t *testing.T) {
	t.Parallel()
	run(t, dialect.Postgres, []testCase{
		{`ALTER TABLE tasks ADD COLUMN n serial8;`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN n serial4;`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN n SERIAL2;`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN n pg_catalog.serial;`, "rewrites"},
		{`ALTER TABLE tasks ALTER COLUMN amount TYPE numeric(25,4);`, ""},
		{`ALTER TABLE tasks ALTER COLUMN amount TYPE decimal;`, ""},
		{`ALTER TABLE tasks ALTER COLUMN amount TYPE numeric(25,5);`, "rewrites breaks"},
		{`ALTER TABLE tasks ALTER COLUMN amount TYPE numeric(9,4);`, "rewrites breaks"},
		{`ALTER TABLE tasks ALTER COLUMN amount TYPE numeric(25);`, "rewrites breaks"},
		{`ALTER TABLE tasks ADD COLUMN a text NOT NULL DEFAULT CAST('a' AS text);`, ""},
		{`ALTER TABLE tasks ADD COLUMN a text NOT NULL DEFAULT CAST(random() AS text);`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN a timestamp NOT NULL DEFAULT (now() AT TIME ZONE 'utc');`, ""},
		{`SET LOCAL work_mem = '64MB';`, ""},
		{`SET LOCAL maintenance_work_mem = '64MB';`, ""},
		{`SET LOCAL session_replication_role = replica;`, "unknown"},
		{`CREATE EXTENSION IF NOT EXISTS pg_trgm;`, ""},
		{`CREATE INDEX ON tasks (status);`, "locks"},
		{`CREATE UNIQUE INDEX ON tasks (status);`, "locks breaks"},
	})
}

package lint_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/migrate/lint"
)

// rebuild is how Atlas changes a table on SQLite; columns and copied vary.
func rebuild(columns, copied string) string {
	return "PRAGMA foreign_keys = off;\nCREATE TABLE `new_tasks` (" + columns + ", PRIMARY KEY (`workspace_id`, `id`)," +
		" CONSTRAINT `tasks_projects_project` FOREIGN KEY (`workspace_id`, `project_id`) REFERENCES `projects` (`workspace_id`, `id`), CONSTRAINT `rank_positive` CHECK (`rank` >= 0));\n" +
		"INSERT INTO `new_tasks` (" + copied + ") SELECT " + copied + " FROM `tasks`;\nDROP TABLE `tasks`;\nALTER TABLE `new_tasks` RENAME TO `tasks`;\n" +
		"CREATE INDEX `tasks_status` ON `tasks` (`status`);\nCREATE UNIQUE INDEX `tasks_name` ON `tasks` (`workspace_id`, `name`);\nPRAGMA foreign_keys = on;\n"
}

const (
	taskColumns = "`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `name` character varying(64) NOT NULL, `status` text NULL, `project_id` uuid NULL, `amount` numeric(19,4) NULL, `rank` integer NOT NULL DEFAULT 0"
	taskCopied  = "`workspace_id`, `id`, `name`, `status`, `project_id`, `amount`, `rank`"
)

func TestSQLite(t *testing.T) {
	t.Parallel()
	without := func(s, part string) string { return strings.Replace(s, part, "", 1) }
	run(t, dialect.SQLite, []testCase{
		{"CREATE INDEX `i` ON `tasks` (`name`);", ""}, // there is one writer anyway
		{"CREATE UNIQUE INDEX [i] ON \"tasks\" (`name`);", "breaks"},
		{"ALTER TABLE tasks ADD COLUMN a text; CREATE UNIQUE INDEX i ON tasks (workspace_id, a);", ""},
		{"DROP INDEX tasks_status;", ""},
		{"ALTER TABLE `tasks` DROP COLUMN `status`;", "destroys breaks rewrites"},
		{"ALTER TABLE tasks ADD COLUMN a datetime DEFAULT (datetime('now'));", "breaks"},
		{"UPDATE tasks SET status = 'x';", "destroys"},
		{"UPDATE tasks SET status = 'x' WHERE status IS NULL;", ""},
		{"REPLACE INTO tasks (id) VALUES (1);", "destroys"},
		{"INSERT OR REPLACE INTO tasks (id) VALUES (1);", "destroys"},
		{"INSERT OR IGNORE INTO tasks (id) VALUES (1);", ""},
		{"PRAGMA foreign_keys = off;", ""},
		{"PRAGMA writable_schema = on;", "unknown"},
		{"ATTACH 'x.db' AS x;", "unknown"},
		{"VACUUM;", "rewrites"},
		{"TRUNCATE tasks;", "unknown"},
		{"CREATE VIRTUAL TABLE t USING fts5(a);", "unknown"},
		{"CREATE TABLE t (id uuid) WITHOUT ROWID;", ""},
	})
	run(t, dialect.SQLite, []testCase{
		{rebuild(taskColumns, taskCopied), "rewrites"},
		{rebuild(taskColumns+", `note` text NULL", taskCopied), "rewrites"},
		{rebuild(taskColumns+", `note` text NOT NULL DEFAULT ''", taskCopied), "rewrites"},
		{rebuild(taskColumns+", `note` text NOT NULL", taskCopied), "rewrites breaks"},
		{rebuild(without(taskColumns, "`status` text NULL, "), without(taskCopied, "`status`, ")), "rewrites destroys breaks"},
		{rebuild(taskColumns, without(taskCopied, "`status`, ")), "rewrites destroys"},
		{rebuild(strings.Replace(taskColumns, "text NULL", "text NOT NULL", 1), taskCopied), "rewrites breaks"},
		{rebuild(strings.Replace(taskColumns, "`status` text", "`status` integer", 1), taskCopied), "rewrites breaks"},
		{rebuild(taskColumns+", CHECK (`rank` < 9)", taskCopied), "rewrites breaks"},
		{strings.Replace(rebuild(taskColumns, taskCopied), "SELECT `workspace_id`, `id`, `name`", "SELECT `workspace_id`, `id`, ''", 1), "rewrites destroys"},
		{strings.Replace(rebuild(taskColumns, taskCopied), "SELECT `workspace_id`, `id`, `name`, `status`", "SELECT `workspace_id`, `id`, `name`, IFNULL(`status`, '') AS `status`", 1), "rewrites"},
		{strings.Replace(rebuild(taskColumns, taskCopied), "FROM `tasks`", "FROM `tasks` WHERE `rank` > 1", 1), "destroys rewrites"},
		{strings.Replace(rebuild(taskColumns, taskCopied), "INSERT INTO", "-- INSERT INTO", 1), "destroys rewrites"},
		{without(rebuild(taskColumns, taskCopied), "ALTER TABLE `new_tasks` RENAME TO `tasks`;\n"), "destroys breaks"},
	})
}

// trigger is one that does this before a project is deleted.
func trigger(body string) string {
	return "-- +goose StatementBegin\nCREATE TRIGGER `clear` BEFORE DELETE ON `projects` FOR EACH ROW BEGIN\n" + body + "END;\n-- +goose StatementEnd\n"
}

const (
	clearTasks   = "  UPDATE `tasks` SET `project_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `project_id` = OLD.`id`;\n"
	clearTickets = "  UPDATE `tickets` SET `project_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `project_id` = OLD.`id`;\n"
)

// What a trigger clears counts, not that it is written anew.
func TestSQLiteTriggers(t *testing.T) {
	t.Parallel()
	const clearNew = "  UPDATE `tasks` SET `other_id` = NULL WHERE `other_id` = OLD.`id`;\n"
	const drop, tickets = "DROP TRIGGER `clear`;\n", "CREATE TABLE `tickets` (`project_id` uuid NULL);\n"
	for _, c := range []testCase{
		{drop + trigger(clearTasks), ""},
		{tickets + drop + trigger(clearTasks+clearTickets), ""},
		{"ALTER TABLE tasks ADD COLUMN other_id uuid;\n" + drop + trigger(clearTasks+clearNew), ""},
		{tickets + drop + trigger(clearTasks+"  UPDATE `tickets` SET `project_id` = OLD.`id`;\n"), ""},
		{tickets + drop + trigger(clearTasks+"  UPDATE `tickets` SET `project_id` = RAISE(ABORT, 'no');\n"), "breaks"},
		{drop + trigger(clearTasks+"  UPDATE `tasks` SET `project_id` = OLD.`id`;\n"), "breaks"},
		{drop, "breaks"},
		{drop + trigger(clearNew), "breaks breaks"},
		{tickets + drop + trigger(clearTickets), "breaks"},
		{drop + trigger(clearTasks+"  DELETE FROM `tasks`;\n"), "breaks"},
		{drop + strings.Replace(trigger(clearTasks), "FOR EACH ROW", "FOR EACH ROW WHEN OLD.`id` > 1", 1), "breaks breaks"},
		{"DROP TRIGGER `unheard_of`;", "breaks"},
		// a rebuild loses the triggers of its table
		{"CREATE TABLE n (workspace_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, PRIMARY KEY (workspace_id, id)); INSERT INTO n (workspace_id, id, name) SELECT workspace_id, id, name FROM projects; DROP TABLE projects; ALTER TABLE n RENAME TO projects;\n", "rewrites breaks"},
		{"CREATE TABLE n (workspace_id uuid NOT NULL, id uuid NOT NULL, name text NOT NULL, PRIMARY KEY (workspace_id, id)); INSERT INTO n (workspace_id, id, name) SELECT workspace_id, id, name FROM projects; DROP TABLE projects; ALTER TABLE n RENAME TO projects;\n" + trigger(clearTasks), "rewrites"},
	} {
		files := parsed(t, dialect.SQLite, base+trigger(clearTasks), c.sql)
		if got := lint.Pending(dialect.SQLite, files, 1); rules(got) != c.want {
			t.Errorf("%s\ngives %q, want %q: %+v", c.sql, rules(got), c.want, got)
		}
	}
}

// A trigger that no longer clears what came since the release is what that knows; one
// that no longer counts is not.
func TestSQLiteTriggerLosesWhatIsNew(t *testing.T) {
	t.Parallel()
	const count = "  UPDATE `record_counts` SET `n` = `n` - 1 WHERE `resource` = 'projects';\n"
	for _, c := range []struct{ before, since, now, want string }{
		{clearTasks, clearTasks + clearTickets, clearTasks, ""},
		{clearTasks, clearTasks + clearTickets, clearTickets, "breaks"},
		{clearTasks + count, clearTasks + count + clearTickets, clearTasks, "breaks"},
	} {
		files := parsed(t, dialect.SQLite,
			base+trigger(c.before),
			"CREATE TABLE `tickets` (`project_id` uuid NULL);\nDROP TRIGGER `clear`;\n"+trigger(c.since),
			"DROP TRIGGER `clear`;\n"+trigger(c.now),
		)
		if got := lint.Pending(dialect.SQLite, files, 1); rules(got) != c.want {
			t.Errorf("%s\ngives %q, want %q: %+v", c.now, rules(got), c.want, got)
		}
	}
}

// Constraints and indexes are compared by what they do: they follow the new name of
// a column, and a rebuild in a later step may give them another of their own.
func TestRebuildAfterRename(t *testing.T) {
	t.Parallel()
	renamed := strings.NewReplacer("project_id", "plan_id", "`rank`", "`grade`", "`name`", "`title`").Replace
	plain := renamed(rebuild(taskColumns, taskCopied))
	other := func(old, changed string) string { return strings.Replace(plain, old, changed, 1) }
	for _, c := range []testCase{
		{plain, "rewrites"},
		{other("CONSTRAINT `tasks_projects_project` ", "CONSTRAINT `tasks_projects_plan` "), "rewrites"},
		{other("CONSTRAINT `rank_positive` ", ""), "rewrites"},
		{other("CREATE UNIQUE INDEX `tasks_name`", "CREATE UNIQUE INDEX `tasks_title`"), "rewrites"},
		{other("CONSTRAINT `tasks_projects_project` FOREIGN KEY (`workspace_id`, `plan_id`)", "CONSTRAINT `tasks_projects_plan` FOREIGN KEY (`workspace_id`, `id`)"), "rewrites breaks breaks"},
		{other("`grade` >= 0", "`grade` >= 1"), "rewrites breaks"},
		{other(", CONSTRAINT `tasks_projects_project` FOREIGN KEY (`workspace_id`, `plan_id`) REFERENCES `projects` (`workspace_id`, `id`)", ""), "rewrites breaks"},
		{other("CREATE UNIQUE INDEX `tasks_name` ON `tasks` (`workspace_id`, `title`)", "CREATE UNIQUE INDEX `tasks_name` ON `tasks` (`workspace_id`, `grade`)"), "rewrites breaks breaks"},
	} {
		files := parsed(t, dialect.SQLite, base, "ALTER TABLE tasks RENAME COLUMN project_id TO plan_id;\nALTER TABLE tasks RENAME COLUMN rank TO grade;\nALTER TABLE tasks RENAME COLUMN name TO title;", c.sql)
		if got := lint.Each(dialect.SQLite, files, 2); rules(got) != c.want {
			t.Errorf("%s\ngives %q, want %q: %+v", c.sql, rules(got), c.want, got)
		}
	}
	// A reference to the renamed column follows as well.
	run(t, dialect.SQLite, []testCase{{"ALTER TABLE projects RENAME COLUMN id TO number;\n" +
		strings.Replace(rebuild(taskColumns, taskCopied), "REFERENCES `projects` (`workspace_id`, `id`)", "REFERENCES `projects` (`workspace_id`, `number`)", 1), "breaks rewrites"}})
}

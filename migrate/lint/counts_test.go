package lint_test

import (
	"os"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/migrate/counts"
)

func same(name string) string { return name }

// marked is a statement with semicolons of its own.
func marked(text string) string {
	return "-- +goose StatementBegin\n" + text + ";\n-- +goose StatementEnd\n"
}

const countsTable = `CREATE TABLE record_counts (workspace_id uuid NOT NULL, resource text NOT NULL, slot smallint NOT NULL, n bigint NOT NULL, PRIMARY KEY (workspace_id, resource, slot));
`

// shipped is the function that the first migration made, in plain words.
func shipped(t *testing.T) string {
	t.Helper()
	file, err := os.ReadFile("../postgres/20261121135755_keep_counts.sql")
	if err != nil {
		t.Fatal(err)
	}
	_, function, _ := strings.Cut(string(file), "-- +goose StatementBegin\n")
	function, _, _ = strings.Cut(function, ";\n-- +goose StatementEnd")
	return function
}

// The function as it is written now is known to the letter, new or in the place of
// another, and a trigger may call it; one that is like it is not.
func TestTheCountingFunction(t *testing.T) {
	t.Parallel()
	function, trigger := counts.PostgresFunctions()[counts.Function], counts.PostgresTriggers("tasks", same)["tasks_count_insert"]+";\n"
	with := func(old, by string) string {
		if !strings.Contains(function, old) {
			t.Fatalf("the function has no %q", old)
		}
		return marked(strings.Replace(function, old, by, 1))
	}
	run(t, dialect.Postgres, []testCase{
		{marked(function) + trigger, ""},
		{with("CREATE ", "CREATE OR REPLACE ") + trigger, ""},
		{marked(shipped(t)) + with("CREATE ", "CREATE OR REPLACE ") + trigger, ""},
		{with("RETURN NULL;", "DELETE FROM tasks; RETURN NULL;"), "unknown"},
		{with("current_schema()", "'elsewhere'"), "unknown"},
		{with("CREATE FUNCTION %1$I.count_records", "CREATE OR REPLACE FUNCTION %1$I.renew_key_generation"), "unknown"},
		{with("current_schema()); END", "current_schema()); DELETE FROM tasks; END"), "unknown"},
	})
}

// Triggers that count harm no running program; those that look like it and do more
// are found.
func TestCountingOnPostgres(t *testing.T) {
	t.Parallel()
	function, trigger := shipped(t), counts.PostgresTriggers("tasks", same)["tasks_count_insert"]+";\n"
	with := func(old, by string) string {
		if !strings.Contains(function, old) {
			t.Fatalf("the function has no %q", old)
		}
		return marked(strings.Replace(function, old, by, 1)) + trigger
	}
	run(t, dialect.Postgres, []testCase{
		{marked(function) + trigger, ""},
		{countsTable + marked(function) + trigger + counts.Mend("tasks") + ";\n", ""},
		{marked(function) + trigger + "DROP TRIGGER tasks_count_insert ON tasks;\n" + trigger, ""},
		{marked(function) + strings.Replace(trigger, "AFTER INSERT", "BEFORE INSERT", 1), "breaks"},
		{strings.Replace(marked(function), "CREATE", "CREATE OR REPLACE", 1) + trigger, "breaks"},
		{with("RETURN NULL;", "DELETE FROM tasks; RETURN NULL;"), "unknown breaks"},
		{with("RETURN NULL;", "delete\nfrom only tasks; RETURN NULL;"), "unknown breaks"},
		{with("RETURN NULL;", `UPDATE "tasks" SET name = ''; RETURN NULL;`), "unknown breaks"},
		{with("RETURN NULL;", "INSERT INTO record_counts.tasks VALUES (1); RETURN NULL;"), "unknown breaks"},
		{with("RETURN NULL;", "RAISE EXCEPTION 'no'; RETURN NULL;"), "unknown breaks"},
		{with("RETURN NULL;", "EXECUTE 'DELETE FROM tasks'; RETURN NULL;"), "unknown breaks"},
		{with("RETURN NULL;", "PERFORM pg_sleep(10); RETURN NULL;"), "unknown breaks"},
		{with("count(*)", "count(pg_sleep(10))"), "unknown breaks"},
		{with("count(*)", `"pg_sleep"(10)`), "unknown breaks"},
		{with("count(*)", `"Pg_Sleep"(10)`), "unknown breaks"},
		{with("INSERT INTO record_counts", "INSERT INTO tasks"), "unknown breaks"},
		{with("DO UPDATE SET", "DO INSTEAD UPDATE SET"), "unknown breaks"},
		{with("LANGUAGE plpgsql", "LANGUAGE plperl"), "unknown breaks"},
	})
}

// The same on SQLite.
func TestCountingOnSQLite(t *testing.T) {
	t.Parallel()
	trigger := counts.SQLiteTriggers("tasks", same)["tasks_count_insert"]
	with := func(old, by string) string { return marked(strings.Replace(trigger, old, by, 1)) }
	run(t, dialect.SQLite, []testCase{
		{marked(trigger), ""},
		{countsTable + marked(trigger) + counts.Mend("tasks") + ";\n", ""},
		{with("END", "  DELETE FROM tasks;\nEND"), "breaks"},
		{with("'tasks'", "RAISE(ABORT, 'no')"), "breaks"},
		{with("'tasks'", "(SELECT load_extension('x'))"), "breaks"},
		{with("INTO `record_counts`", "INTO `tasks`"), "breaks"},
	})
}

// Counts are added to and forgotten; anything else that is done to them is found.
func TestCountsThemselves(t *testing.T) {
	t.Parallel()
	for _, d := range []string{dialect.Postgres, dialect.SQLite} {
		locks := map[string]string{dialect.Postgres: "destroys locks", dialect.SQLite: "destroys"}[d]
		run(t, d, []testCase{
			{counts.Mend("tasks") + ";\n", ""},
			{strings.Replace(counts.Mend("tasks"), "record_counts.n + excluded.n", "excluded.n", 1) + ";\n", "destroys"},
			{strings.ReplaceAll(counts.Mend("tasks"), "record_counts", "tasks") + ";\n", "destroys"},
			{counts.Forget("never_was") + ";\n", ""},
			{counts.Forget("tasks") + ";\n", "destroys"},
			{"DROP TABLE tasks;\n" + counts.Forget("tasks") + ";\n", "destroys breaks"},
			{counts.Forget("never_was") + " OR true;\n", "destroys"},
			{"DELETE FROM record_counts;\n", "destroys"},
			{"UPDATE record_counts SET n = 0;\n", locks},
		})
	}
}

package lint_test

import (
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/migrate/lint"
	"records/migrate/script"
)

// What is there before each case, on both databases.
const base = `-- +goose Up
CREATE TABLE "projects" ("workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "name" text NOT NULL, PRIMARY KEY ("workspace_id", "id"));
CREATE TABLE "tasks" (
	"workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "name" character varying(64) NOT NULL, "status" text NULL,
	"project_id" uuid NULL, "amount" numeric(19,4) NULL, "rank" integer NOT NULL DEFAULT 0, PRIMARY KEY ("workspace_id", "id"),
	CONSTRAINT "tasks_projects_project" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects" ("workspace_id", "id"),
	CONSTRAINT "rank_positive" CHECK ("rank" >= 0)
);
CREATE INDEX "tasks_status" ON "tasks" ("status");
CREATE UNIQUE INDEX "tasks_name" ON "tasks" ("workspace_id", "name");
`

type testCase struct {
	sql  string
	want string // the rules, in the order in which they are found
}

func judge(t *testing.T, d, text string) []lint.Finding {
	t.Helper()
	files := parsed(t, d, base, text)
	files[0].Name, files[1].Name = "20260101000000_base.sql", "20270101000000_change.sql"
	return lint.Pending(d, files, 1)
}

// parsed are migrations of these texts, called a.sql, b.sql and so on.
func parsed(t *testing.T, d string, texts ...string) (files []*script.File) {
	t.Helper()
	quotes := script.SQLite
	if d == dialect.Postgres {
		quotes = script.Postgres
	}
	for i, text := range texts {
		if !strings.Contains(text, "+goose Up") {
			text = "-- +goose Up\n" + text
		}
		f, err := script.Parse(string(rune('a'+i))+".sql", []byte(text), quotes)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		files = append(files, f)
	}
	return files
}

func rules(findings []lint.Finding) string {
	var all []string
	for _, f := range findings {
		all = append(all, string(f.Rule))
	}
	return strings.Join(all, " ")
}

func run(t *testing.T, d string, cases []testCase) {
	t.Helper()
	for _, c := range cases {
		findings := judge(t, d, c.sql)
		if got := rules(findings); got != c.want {
			t.Errorf("%s:\n%s\ngives %q, want %q: %v", d, c.sql, got, c.want, findings)
		}
		for _, f := range findings {
			if f.Line < 1 || f.File != "20270101000000_change.sql" || f.Statement == "" || f.Why == "" || f.Recipe == "" {
				t.Errorf("%s: incomplete: %+v", c.sql, f)
			}
		}
	}
}

func both(t *testing.T, cases []testCase) {
	t.Helper()
	run(t, dialect.Postgres, cases)
	run(t, dialect.SQLite, cases)
}

func TestHarmlessOnBoth(t *testing.T) {
	t.Parallel()
	both(t, []testCase{
		{``, ""},
		{`CREATE TABLE "tickets" ("id" uuid NOT NULL, "name" text NOT NULL, PRIMARY KEY ("id"));
CREATE INDEX "tickets_name" ON "tickets" ("name"); CREATE UNIQUE INDEX "u" ON "tickets" ("id", "name");
ALTER TABLE "tickets" ADD COLUMN "x" text NOT NULL; ALTER TABLE "tickets" RENAME COLUMN "x" TO "y"; ALTER TABLE tickets DROP COLUMN y;
UPDATE "tickets" SET "name" = 'a'; DELETE FROM "tickets"; DROP TABLE "tickets";`, ""},
		{`ALTER TABLE "tasks" ADD COLUMN "note" text NULL;`, ""},
		{"alter\n\ttable tasks -- the tasks\n add /* a */ column Note text;", ""},
		{`ALTER TABLE tasks ADD COLUMN note text NOT NULL DEFAULT 'DROP TABLE tasks; --';`, ""},
		{`ALTER TABLE tasks ADD COLUMN n integer NOT NULL DEFAULT -1;`, ""},
		{`INSERT INTO projects (id, name) VALUES ('a', 'it''s; DELETE FROM tasks');`, ""},
		{`INSERT INTO projects (id, name) SELECT id, name FROM tasks WHERE rank > 1 ON CONFLICT DO NOTHING;`, ""},
		{`CREATE VIEW open_tasks AS SELECT * FROM tasks;`, ""},
		{`ANALYZE;`, ""},
	})
}

func TestUnsafeOnBoth(t *testing.T) {
	t.Parallel()
	both(t, []testCase{
		{`DROP TABLE "tasks";`, "destroys breaks"},
		{"drop   table\n if exists public.Tasks", "destroys breaks"},
		{`/* gone */ DROP /* really */ TABLE -- yes
tasks;`, "destroys breaks"},
		{`DROP TABLE unheard_of;`, "destroys breaks"},
		{`DELETE FROM tasks;`, "destroys"},
		{`DELETE FROM "tasks" WHERE status = 'old';`, "destroys"},
		{`ALTER TABLE tasks RENAME TO todos;`, "breaks"},
		{`ALTER TABLE "tasks" RENAME COLUMN "name" TO "title";`, "breaks"},
		{`ALTER TABLE tasks RENAME name TO title;`, "breaks"},
		{`ALTER TABLE tasks ADD COLUMN owner text NOT NULL;`, "breaks"},
		{`DROP VIEW open_tasks;`, "breaks"},
		{`INSERT INTO tasks (id, name) VALUES ('a', 'b') ON CONFLICT (id) DO UPDATE SET name = 'b';`, "destroys"},
		{`WITH x AS (DELETE FROM tasks RETURNING id) SELECT count(*) FROM x;`, "unknown"},
		{`SELECT do_something();`, "unknown"},
		{`MERGE INTO tasks USING projects ON true WHEN MATCHED THEN DELETE;`, "unknown"},
		{`ALTER TABLE tasks FROBNICATE;`, "unknown"},
		{`CREATE FROBNICATION f;`, "unknown"},
		{`DROP FROBNICATION f;`, "unknown"},
		{`EXPLAIN ANALYZE DELETE FROM tasks;`, "unknown"},
		{`CREATE TABLE t AS SELECT 1; DROP TABLE t; DROP TABLE projects;`, "destroys breaks"},
		{`CREATE TABLE IF NOT EXISTS tasks (id uuid); DROP TABLE tasks;`, "destroys breaks"},
		{`CREATE TABLE other.tasks (id uuid); DROP TABLE tasks;`, "destroys breaks"},
		{`CREATE TABLE other.tasks (id uuid); DROP TABLE other.tasks;`, ""},
		{`CREATE TEMPORARY TABLE tasks (id uuid); DROP TABLE tasks;`, "unknown destroys breaks"},
	})
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	const alone = "-- +goose Up\n-- +goose NO TRANSACTION\n"
	run(t, dialect.Postgres, []testCase{
		// indexes
		{`CREATE INDEX i ON tasks (name);`, "locks"},
		{`create unique index i on public."tasks" using btree (name)`, "locks breaks"},
		{`CREATE INDEX CONCURRENTLY i ON tasks (name);`, "locks"}, // fails in a transaction
		{alone + `CREATE INDEX CONCURRENTLY i ON tasks (name);`, ""},
		{alone + `CREATE INDEX CONCURRENTLY IF NOT EXISTS "i" ON "tasks" ("name") WHERE (status IS NOT NULL);`, ""},
		{alone + `CREATE UNIQUE INDEX CONCURRENTLY i ON tasks (name);`, "breaks"},
		{alone + `CREATE INDEX CONCURRENTLY ON tasks (name);`, "unknown"},
		{alone + `CREATE INDEX i ON tasks (name);`, "unknown locks"},
		{alone + `DROP INDEX CONCURRENTLY tasks_status;`, ""},
		{alone + `ALTER TABLE tasks ADD COLUMN x text;`, "unknown"},
		{alone + `REINDEX INDEX CONCURRENTLY tasks_status;`, "unknown locks"},
		{`DROP INDEX tasks_status;`, "locks"},
		{`DROP INDEX tasks_status, tasks_name CASCADE;`, "destroys breaks locks breaks"},
		{`REINDEX TABLE tasks;`, "locks"},
		{`ALTER INDEX tasks_status RENAME TO s;`, ""},
		// columns
		{`ALTER TABLE tasks DROP COLUMN status;`, "destroys breaks"},
		{`ALTER TABLE ONLY "tasks" DROP "status", ADD COLUMN "state" text;`, "destroys breaks"},
		{`ALTER TABLE tasks ADD COLUMN a text, DROP COLUMN IF EXISTS status, ALTER COLUMN name SET NOT NULL;`, "destroys breaks locks breaks"},
		{`ALTER TABLE tasks ADD COLUMN a numeric(19,4) NULL, ADD b text DEFAULT 'x' NOT NULL;`, ""},
		{`ALTER TABLE tasks ADD COLUMN a timestamptz NOT NULL DEFAULT now();`, ""},
		{`ALTER TABLE tasks ADD COLUMN a timestamptz NOT NULL DEFAULT CURRENT_TIMESTAMP;`, ""},
		{`ALTER TABLE tasks ADD COLUMN a jsonb NOT NULL DEFAULT '{}'::jsonb;`, ""},
		{`ALTER TABLE tasks ADD COLUMN a varchar(9) DEFAULT 'a'::character varying(9) NOT NULL;`, ""},
		{`ALTER TABLE tasks ADD COLUMN a uuid NOT NULL DEFAULT gen_random_uuid();`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN a timestamptz DEFAULT clock_timestamp();`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN a double precision DEFAULT RANDOM ( );`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN a bigserial;`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN a bigint GENERATED ALWAYS AS IDENTITY;`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN a text GENERATED ALWAYS AS (upper(name)) STORED;`, "rewrites"},
		{`ALTER TABLE tasks ADD COLUMN a text UNIQUE;`, "locks"},
		{`ALTER TABLE tasks ADD COLUMN a integer CHECK (a > 0);`, "locks"},
		{`ALTER TABLE tasks ADD COLUMN a uuid REFERENCES projects (id) ON DELETE SET NULL;`, ""},
		{`ALTER TABLE tasks ADD COLUMN a text, DROP COLUMN a;`, ""},
		{`ALTER TABLE tasks ALTER COLUMN amount TYPE text;`, "rewrites breaks"},
		{`ALTER TABLE tasks ALTER COLUMN rank TYPE bigint;`, "rewrites"},
		{`ALTER TABLE tasks ALTER COLUMN rank TYPE smallint;`, "rewrites breaks"},
		{"-- records: allow rewrites, locks: a few rows\nALTER TABLE tasks ALTER COLUMN rank TYPE bigint;", ""},
		{`ALTER TABLE tasks ALTER COLUMN name TYPE character varying(255);`, ""},
		{`ALTER TABLE tasks ALTER name SET DATA TYPE text;`, ""},
		{`ALTER TABLE tasks ALTER COLUMN name TYPE varchar(32);`, "rewrites breaks"},
		{`ALTER TABLE tasks ALTER COLUMN name TYPE text USING lower(name);`, "rewrites breaks"},
		{`ALTER TABLE tasks ALTER COLUMN status SET NOT NULL;`, "locks breaks"},
		{`ALTER TABLE tasks ALTER COLUMN status DROP NOT NULL;`, "breaks"},
		{`ALTER TABLE tasks ALTER COLUMN status SET DEFAULT 'new';`, ""},
		{`ALTER TABLE tasks ALTER COLUMN rank DROP DEFAULT;`, "breaks"},
		{`ALTER TABLE tasks ALTER COLUMN status DROP DEFAULT;`, ""},
		{`ALTER TABLE tasks ALTER COLUMN status SET STATISTICS 1000;`, ""},
		{`ALTER TABLE tasks ADD CONSTRAINT c CHECK (status IS NOT NULL) NOT VALID;`, "breaks"},
		// constraints
		{`ALTER TABLE tasks ADD CONSTRAINT f FOREIGN KEY (project_id) REFERENCES projects (id);`, "locks breaks"},
		{`ALTER TABLE tasks ADD CONSTRAINT f FOREIGN KEY (project_id) REFERENCES projects (id) NOT VALID;`, "breaks"},
		{`ALTER TABLE tasks ADD COLUMN p uuid; ALTER TABLE tasks ADD CONSTRAINT f FOREIGN KEY (workspace_id, p) REFERENCES projects (workspace_id, id) ON DELETE SET NULL (p) NOT VALID;`, ""},
		{`ALTER TABLE tasks ADD FOREIGN KEY (project_id) REFERENCES projects (id)`, "locks breaks"},
		{`ALTER TABLE tasks ADD CONSTRAINT c CHECK (rank < 9);`, "locks breaks"},
		{`ALTER TABLE tasks ADD CONSTRAINT c CHECK (rank < 9) NOT VALID; ALTER TABLE tasks VALIDATE CONSTRAINT c;`, "breaks locks"},
		{`ALTER TABLE tasks VALIDATE CONSTRAINT c;`, ""},
		{`ALTER TABLE tasks ADD CONSTRAINT u UNIQUE (name);`, "locks breaks"},
		{`ALTER TABLE tasks ADD UNIQUE (name);`, "locks breaks"},
		{`ALTER TABLE tasks ADD CONSTRAINT u UNIQUE USING INDEX tasks_name;`, ""},
		{`ALTER TABLE tasks ADD EXCLUDE USING gist (name WITH =);`, "locks breaks"},
		{`ALTER TABLE tasks DROP CONSTRAINT tasks_projects_project;`, "breaks"},
		{`ALTER TABLE tasks DROP CONSTRAINT IF EXISTS rank_positive;`, ""},
		{`ALTER TABLE tasks RENAME CONSTRAINT rank_positive TO r;`, ""},
		{`ALTER TABLE tasks RENAME CONSTRAINT tasks_pkey TO p;`, "breaks"},
		{`ALTER TABLE tasks DROP CONSTRAINT tasks_projects_project; ALTER TABLE tasks DROP COLUMN project_id;`, "breaks destroys breaks"},
		{`ALTER TABLE tasks DROP CONSTRAINT tasks_projects_project; DROP TABLE tasks;`, "destroys breaks"},
		{`ALTER TABLE tasks DROP CONSTRAINT tasks_projects_project, ADD CONSTRAINT f FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id) ON DELETE SET NULL (project_id) NOT VALID;`, "breaks"}, // as every new one
		// rows
		{`UPDATE tasks SET status = 'new';`, "destroys locks"},
		{`UPDATE tasks SET status = 'new' WHERE rank > 1;`, "destroys locks"},
		{`UPDATE tasks SET status = 'new' WHERE status IS NULL;`, "locks"},
		{`UPDATE "tasks" SET "status" = DEFAULT WHERE "status" IS NULL;`, "locks"},
		{`ALTER TABLE tasks ADD COLUMN a text; UPDATE tasks SET status = 'new' WHERE status IS NULL;`, "locks"},
		{`UPDATE ONLY "tasks" AS t SET "status" = 'x' WHERE t."status" IS NULL AND rank = 1`, "locks"},
		{`UPDATE tasks SET status = 'new' WHERE status IS NULL OR rank = 1;`, "destroys locks"},
		{`UPDATE tasks SET status = 'new' WHERE NOT status IS NULL;`, "destroys locks"},
		{`UPDATE tasks SET status = 'new' WHERE (status IS NULL) = false;`, "destroys locks"},
		{`UPDATE tasks SET status = 'new' WHERE CASE WHEN status IS NULL THEN true ELSE true END;`, "destroys locks"},
		{`UPDATE tasks SET status = 'new', rank = 2 WHERE (tasks.status IS NULL);`, "destroys locks"},
		{`ALTER TABLE tasks ADD COLUMN a text; UPDATE tasks SET a = name;`, "locks"},
		{`CREATE TABLE t (a text); UPDATE t SET a = 'x' WHERE a IS NULL;`, ""},
		{`TRUNCATE tasks;`, "destroys"},
		{`truncate TABLE ONLY projects, tasks RESTART IDENTITY;`, "destroys"},
		{`CREATE TABLE t (id uuid); TRUNCATE t, tasks;`, "destroys"},
		// others
		{`VACUUM FULL tasks;`, "rewrites"},
		{`VACUUM (FULL, ANALYZE) tasks;`, "rewrites"},
		{`VACUUM tasks;`, "unknown"},
		{`CLUSTER tasks USING tasks_name;`, "rewrites"},
		{`LOCK TABLE tasks IN SHARE MODE;`, "locks"},
		{`LOCK TABLE tasks;`, "locks"},
		{`LOCK TABLE "companies", "tasks" IN SHARE ROW EXCLUSIVE MODE;`, ""},
		{`ALTER TABLE tasks SET TABLESPACE slow;`, "rewrites"},
		{`ALTER TABLE tasks SET UNLOGGED;`, "rewrites"},
		{`ALTER TABLE tasks DISABLE TRIGGER ALL;`, "breaks"},
		{`ALTER TABLE tasks ENABLE ROW LEVEL SECURITY;`, "breaks"},
		{`ALTER TABLE tasks ATTACH PARTITION p DEFAULT;`, "unknown"},
		{`ALTER TYPE mood ADD VALUE 'calm';`, "breaks"},
		{`ALTER TYPE mood RENAME VALUE 'sad' TO 'blue';`, "breaks"},
		{`ALTER TYPE pair ALTER ATTRIBUTE a TYPE text;`, "breaks unknown"},
		{`CREATE TYPE mood AS ENUM ('sad', 'ok');`, ""},
		{`DROP TYPE mood CASCADE;`, "destroys breaks breaks"},
		{`CREATE TRIGGER t BEFORE DELETE ON tasks FOR EACH ROW EXECUTE FUNCTION f();`, "breaks"},
		{`DROP TRIGGER t ON tasks;`, "breaks"},
		{`CREATE OR REPLACE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM tasks; END $$;`, "breaks"},
		{`CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $f$ BEGIN; DROP TABLE x; END $f$;`, ""},
		{`DO $$ BEGIN DROP TABLE tasks; END $$;`, "unknown"},
		{`CALL p();`, "unknown"},
		{`COPY tasks FROM '/x';`, "unknown"},
		{`SET lock_timeout = 0;`, "unknown"},
		{`COMMENT ON TABLE tasks IS 'DROP TABLE tasks;';`, ""},
		{`GRANT SELECT ON tasks TO reader;`, ""},
		{`REVOKE SELECT ON tasks FROM reader;`, "breaks"},
		{`DROP SEQUENCE s;`, "destroys breaks"},
		{`CREATE TABLE p PARTITION OF tasks DEFAULT;`, "unknown"},
		{`CREATE TABLE t (LIKE tasks INCLUDING ALL);`, ""},
		{"ALTER TABLE tasks ADD COLUMN \"drop\" text DEFAULT E'it\\'s; DROP TABLE tasks';", ""},
		{"/* a /* nested */ DROP TABLE tasks; */ CREATE TABLE t (id uuid);", ""},
		{"ALTER TABLE \"Tasks\" DROP COLUMN \"Status\";", "destroys breaks"},
	})
}

// SET NOT NULL looks at no row where a valid check says the same, which a former
// migration has added and validated.
func TestNotNullAfterAValidCheck(t *testing.T) {
	t.Parallel()
	files := parsed(t, dialect.Postgres,
		base,
		"ALTER TABLE tasks ADD CONSTRAINT c CHECK (\"status\" IS NOT NULL) NOT VALID;",
		"ALTER TABLE tasks VALIDATE CONSTRAINT c;",
		"ALTER TABLE tasks ALTER COLUMN status SET NOT NULL; ALTER TABLE tasks DROP CONSTRAINT c;",
	)
	findings := lint.Each(dialect.Postgres, files, 1)
	if rules(findings) != "breaks" || findings[0].File != "b.sql" {
		t.Errorf("found %+v", findings)
	}
	if got := rules(lint.Pending(dialect.Postgres, files, 1)); got != "breaks breaks" { // the running program knows no check
		t.Errorf("in one step: %q", got)
	}
	if got := rules(lint.Pending(dialect.Postgres, slices.Delete(slices.Clone(files), 2, 3), 2)); got != "locks breaks" {
		t.Errorf("without VALIDATE: %q", got)
	}
}

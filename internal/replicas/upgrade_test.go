package replicas

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/internal/programtest"
)

// next is what `make migration` writes where a task gets an optional field, a required
// one, a reference and an index, and where there is a new resource that refers to it,
// and a trigger by hand: nothing that an older program could not serve.
var next = map[string]string{
	"postgres/20990101000000_next.sql": `CREATE TABLE "tickets" ("workspace_id" uuid NOT NULL, "id" uuid NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "subject" character varying NOT NULL, "task_id" uuid NULL, PRIMARY KEY ("workspace_id", "id"), CONSTRAINT "tickets_tasks_task" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "tasks" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("task_id"), CONSTRAINT "tickets_workspaces_workspace" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE NO ACTION);
CREATE INDEX "tickets_task_id" ON "tickets" ("workspace_id", "task_id") WHERE (task_id IS NOT NULL);
ALTER TABLE "tasks" ADD COLUMN "severity" character varying NOT NULL DEFAULT 'low';
ALTER TABLE "tasks" ADD COLUMN "estimate" bigint NULL;
ALTER TABLE "tasks" ADD COLUMN "deal_id" uuid NULL;
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_deals_deal" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals" ("workspace_id", "id") ON UPDATE NO ACTION ON DELETE SET NULL ("deal_id") NOT VALID;
CREATE TRIGGER "tickets_count_delete" AFTER DELETE ON "tickets" REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "tickets_count_insert" AFTER INSERT ON "tickets" REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_records();
CREATE TRIGGER "tickets_count_truncate" AFTER TRUNCATE ON "tickets" FOR EACH STATEMENT EXECUTE FUNCTION count_records();
`,
	"postgres/20990101000001_next_validate.sql": `ALTER TABLE "tasks" VALIDATE CONSTRAINT "tasks_deals_deal";
`,
	"postgres/20990101000002_next_index_status.sql": `-- +goose Up
-- +goose NO TRANSACTION
CREATE INDEX CONCURRENTLY "task_workspace_id_status" ON "tasks" ("workspace_id", "status");
`,
	"postgres/20990101000003_next_index_deal_id.sql": `-- +goose Up
-- +goose NO TRANSACTION
CREATE INDEX CONCURRENTLY "tasks_deal_id" ON "tasks" ("workspace_id", "deal_id") WHERE (deal_id IS NOT NULL);
`,
	"postgres/20990101000004_next_trigger.sql": `CREATE FUNCTION note_status() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
-- records: allow breaks, unknown: the function is the one above, which changes nothing
CREATE TRIGGER "tasks_note_status" BEFORE UPDATE OF "status" ON "tasks" FOR EACH ROW EXECUTE FUNCTION note_status();
`,
}

// An upgrade under load, as operators do it: `records migrate up` of the new version
// while replicas of the old one serve, then the replicas one by one, so that both
// versions serve for a while. No request fails, and none waits for a second, although
// other sessions, such as a dump, hold the tables for seconds.
func TestUpgradeUnderLoad(t *testing.T) {
	t.Parallel()
	before, after := cmp.Or(*old, binary), newer(t)
	f := newFleet(t, dbtest.EmptyURL(t, dialect.Postgres), "RATELIMIT_STORE", dbtest.Redis(t), "SERVER_DRAIN_DELAY", drain)
	run(t, before, f.url, "migrate", "up")
	var made struct{ ID, Token string }
	told := func(args ...string) {
		if err := json.Unmarshal([]byte(run(t, before, f.url, append(args, "--json")...)), &made); err != nil {
			t.Fatal(err)
		}
	}
	told("workspace", "create", "Acme")
	f.fill(t, made.ID)
	told("key", "create", "--workspace", "Acme", "--name", "k", "--scope", "write")
	all := []*replica{f.serve(t, before, ""), f.serve(t, before, "")}
	p := newProxy(t, all...)
	p.watch(t, all[0].address, all[1].address)
	l := begin(t, callers(t, p, 6, made.Token)...)
	time.Sleep(2 * time.Second)
	usual := l.restart().took

	run(t, after, f.url, "migrate", "lint") // which fails where something is unsafe
	release := f.occupy(t)
	began := time.Now()
	run(t, after, f.url, "migrate", "up")
	release()
	slowest := l.restart()
	t.Logf("migrated %d records in %s; the slowest request took %s, %s, and %s before", *rows, time.Since(began).Round(time.Millisecond), slowest.took, slowest.body, usual)
	if slowest.took > 2*usual+time.Second { // usual is what a busy machine adds
		t.Errorf("while the schema was migrated, %s took %s; before, the slowest took %s", slowest.body, slowest.took, usual)
	}
	for i, r := range all {
		until(t, "nginx knows of all replicas", func() bool { return p.lists(len(all)) })
		if !r.ready() {
			t.Error("a replica of the old version is not ready on the new schema")
		}
		r.stop(t)
		all[i] = f.serve(t, after, r.address)
		until(t, "nginx knows of all replicas", func() bool { return p.lists(len(all)) })
		time.Sleep(time.Second) // both versions serve
	}
	l.check(t, f)
	if n := dbtest.Rows(t, f.db, "SELECT count(*), count(severity) FROM tasks WHERE name LIKE 'row %'"); n[0][0] != n[0][1] {
		t.Errorf("%s rows, %s with a severity", n[0][0], n[0][1])
	}
}

// newer is the program with further migrations.
func newer(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	replace := map[string]string{}
	root, err := filepath.Abs("../../migrate")
	if err != nil {
		t.Fatal(err)
	}
	files := dbtest.MigrationFiles(t, next)
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			replace[filepath.Join(root, name)] = filepath.Join(folder, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(folder, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := programtest.Build(t.TempDir(), "-overlay", list)
	if err != nil {
		t.Fatal(err)
	}
	return program
}

// fill puts records into a workspace.
func (f *fleet) fill(t *testing.T, workspace string) {
	t.Helper()
	_, err := f.db.SQL().ExecContext(t.Context(), `INSERT INTO tasks (workspace_id, id, created_at, updated_at, name, status, description)
		SELECT $1, gen_random_uuid(), now(), now(), 'row ' || n, 'open', repeat('d', 200) FROM generate_series(1, $2::int) AS n`, workspace, *rows)
	if err != nil {
		t.Fatal(err)
	}
}

// occupy reads a table in transactions that last for seconds, as a dump or a report
// does: a change of the table has to wait for each. The first one has begun.
func (f *fleet) occupy(t *testing.T) (release func()) {
	t.Helper()
	read := func() *sql.Tx {
		tx, err := f.db.SQL().Begin()
		if err == nil {
			_, err = tx.Exec("SELECT FROM tasks LIMIT 1")
		}
		if err != nil {
			t.Error(err)
		}
		return tx
	}
	done, ended := make(chan struct{}), make(chan struct{})
	tx := read()
	go func() {
		defer close(ended)
		for long := 3 * time.Second; ; long = 2 * time.Second {
			select {
			case <-done:
			case <-time.After(long):
			}
			_ = tx.Rollback()
			select {
			case <-done:
				return
			case <-time.After(time.Second):
				tx = read()
			}
		}
	}()
	return func() { close(done); <-ended }
}

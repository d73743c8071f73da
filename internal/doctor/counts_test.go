package doctor_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent"
	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
)

// Many create, delete, roll back and import in one workspace and in others, while
// a wrong count is mended twice at once: in the end every count is right.
func TestCountsUnderConcurrency(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		const writers, rounds = 8, 12
		var all sync.WaitGroup
		for w := range writers {
			workspace := p.acme
			if w%4 == 3 {
				workspace = p.workspace(t)
			}
			ctx := inside(t, workspace)
			all.Go(func() {
				for i := range rounds {
					r := entrest.Resources(nil)[(w+i)%len(entrest.Resources(nil))]
					if err := p.make(ctx, p.client, r, 1000+w*rounds+i); err != nil {
						t.Errorf("%s: %v", r.Spec().Plural, err)
					}
					switch i % 4 {
					case 1: // a record of anyone's, and then perhaps none
						p.run(t, "DELETE FROM %s WHERE workspace_id = '%s' AND id = (SELECT max(CAST(id AS text)) FROM %[1]s WHERE workspace_id = '%[2]s')%[3]s",
							r.Spec().Table, workspace, map[string]string{dialect.Postgres: "::uuid", dialect.SQLite: ""}[p.db.Dialect()])
					case 2:
						if err := inTx(ctx, p.client, func(client *ent.Client) error {
							return errors.Join(p.make(ctx, client, r, 5000+w*rounds+i), errRolledBack)
						}); !errors.Is(err, errRolledBack) {
							t.Errorf("rolling back: %v", err)
						}
					case 3:
						rows := strings.Repeat("{\"name\":\"imported\"}\n", 20)
						if n, err := load.Import(ctx, p.client, "tasks", strings.NewReader(rows), load.NDJSON); err != nil || n != 20 {
							t.Errorf("importing: %d, %v", n, err)
						}
					}
				}
			})
		}
		for range 2 {
			all.Go(func() {
				for range 5 {
					p.run(t, "UPDATE record_counts SET n = n + 7 WHERE workspace_id = '%s' AND resource = 'tasks' AND slot = 0", p.acme)
					if _, err := p.examine(t, true); err != nil {
						t.Errorf("mending: %v", err)
					}
				}
			})
		}
		all.Wait()
		p.finds(t, false)
	})
}

// What reaches many rows at once is counted too.
func TestCountsOfWholeStatements(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		for _, r := range entrest.Resources(nil) {
			table := r.Spec().Table
			var ids []string
			for range 130 { // more than take a lock each
				ids = append(ids, fmt.Sprintf("'%s'", p.workspace(t)))
			}
			columns, values := p.columns(t, table)
			p.run(t, "INSERT INTO %s (workspace_id, %s) SELECT w.id, %s FROM %[1]s, workspaces w WHERE %[1]s.workspace_id = '%[4]s' AND w.id IN (%[5]s)",
				table, columns, values, p.acme, strings.Join(ids, ", "))
			p.finds(t, false)
			p.run(t, "DELETE FROM %s WHERE workspace_id IN (%s)", table, strings.Join(ids[:120], ", "))
			p.finds(t, false)
			p.run(t, "DELETE FROM %s WHERE workspace_id IN (%s)", table, strings.Join(ids, ", "))
			if n := p.run(t, "DELETE FROM workspaces WHERE id IN (%s)", strings.Join(ids, ", ")); n != 130 {
				t.Errorf("%d workspaces were removed", n)
			}
			p.finds(t, false)
		}
		for _, r := range entrest.Resources(nil) { // with what refers to it
			p.run(t, "DELETE FROM %s", r.Spec().Table)
			p.finds(t, false)
		}
	})
}

// Whatever a session's search_path is, as pg_restore's is empty, and whatever
// temporary table it has called as the counts are, what it writes is counted in
// theirs.
func TestCountsInAnySession(t *testing.T) {
	t.Parallel()
	for name, session := range map[string][]string{
		"no search_path":    {"SELECT set_config('search_path', '', true)"},
		"another's":         {"CREATE SCHEMA other", "CREATE TABLE other.record_counts (LIKE record_counts INCLUDING ALL)", "SET LOCAL search_path TO other"},
		"a temporary table": {"CREATE TEMPORARY TABLE record_counts (LIKE record_counts INCLUDING ALL) ON COMMIT DROP"},
		"temporary rows":    {"CREATE TEMPORARY TABLE changed (workspace_id uuid) ON COMMIT DROP"},
		"its own hashing":   {"CREATE SCHEMA other", "CREATE FUNCTION other.hashtext(text) RETURNS integer LANGUAGE sql AS 'SELECT 1/0'", "SET LOCAL search_path TO other"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := admit(t, dbtest.Open(t, dialect.Postgres))
			other := p.workspace(t)
			create := "INSERT INTO public.tasks (workspace_id, id, created_at, updated_at, name) VALUES ('%s', gen_random_uuid(), now(), now(), 'one')"
			statements := slices.Concat(session, []string{
				fmt.Sprintf(create, p.acme),
				fmt.Sprintf(create+", ('%s', gen_random_uuid(), now(), now(), 'another')", p.acme, other),
				fmt.Sprintf("DELETE FROM public.tasks WHERE workspace_id = '%s' AND id = (SELECT id FROM public.tasks WHERE workspace_id = '%[1]s' LIMIT 1)", p.acme),
				"TRUNCATE public.invoices",
			})
			if err := inSQL(t, p.db, statements...); err != nil {
				t.Fatal(err)
			}
			p.finds(t, false)
		})
	}
}

// What the database does of itself when a record is created or deleted is counted,
// though the record counts itself.
func TestCountsOfWhatFollows(t *testing.T) {
	t.Parallel()
	p := admit(t, dbtest.Open(t, dialect.Postgres))
	for _, statement := range []string{
		"ALTER TABLE deals ADD task_id uuid, ADD FOREIGN KEY (workspace_id, task_id) REFERENCES tasks (workspace_id, id) ON DELETE CASCADE",
		"CREATE FUNCTION twin() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN INSERT INTO tasks SELECT NEW.workspace_id, gen_random_uuid(), now(), now(), ''twin''; RETURN NULL; END'",
		"CREATE TRIGGER twin AFTER INSERT ON tasks FOR EACH ROW WHEN (NEW.name <> 'twin') EXECUTE FUNCTION twin()",
	} {
		p.run(t, "%s", statement)
	}
	before := p.client.Task.Query().CountX(p.ctx)
	task := p.client.Task.Create().SetName("one").SaveX(p.ctx).ID
	p.finds(t, false)
	p.run(t, "UPDATE deals SET task_id = '%s' WHERE workspace_id = '%s'", task, p.acme)
	if err := p.client.Task.DeleteOneID(task).Exec(p.ctx); err != nil {
		t.Fatal(err)
	}
	p.finds(t, false)
	if tasks, deals := p.client.Task.Query().CountX(p.ctx), p.client.Deal.Query().CountX(p.ctx); tasks != before+1 || deals != 0 {
		t.Errorf("%d tasks and %d deals are left of %d", tasks, deals, before)
	}
}

// TRUNCATE fires no trigger for the rows.
func TestCountsAreTruncated(t *testing.T) {
	t.Parallel()
	p := admit(t, dbtest.Open(t, dialect.Postgres))
	if err := inSQL(t, p.db, "TRUNCATE tasks CASCADE", "INSERT INTO nowhere VALUES (1)"); err == nil {
		t.Error("nowhere is somewhere")
	}
	p.finds(t, false)
	p.run(t, "TRUNCATE companies CASCADE")
	p.finds(t, false)
}

// A wrong count of whatever kind is found in its workspace, and mended.
func TestWrongCountsAreFoundAndMended(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		for i, r := range entrest.Resources(nil) {
			var n int
			if err := p.db.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM "+r.Spec().Table).Scan(&n); err != nil {
				t.Fatal(err)
			}
			other := p.workspace(t)
			for _, c := range []struct {
				workspace uuid.UUID
				harm      string
				counted   int
			}{
				{p.acme, "UPDATE record_counts SET n = n + 2 WHERE workspace_id = '%s' AND resource = '%s' AND slot = 0", n + 2},
				{p.acme, "UPDATE record_counts SET n = n - 3 WHERE workspace_id = '%s' AND resource = '%s' AND slot = 0", n - 3},
				{p.acme, "DELETE FROM record_counts WHERE workspace_id = '%s' AND resource = '%s'", 0},
				{p.acme, "INSERT INTO record_counts (workspace_id, resource, slot, n) VALUES ('%s', '%s', 900, 5)", n + 5},
				{other, "INSERT INTO record_counts (workspace_id, resource, slot, n) VALUES ('%s', '%s', 0, 5)", 5},
			} {
				p.run(t, c.harm, c.workspace, r.Spec().Table)
				present := n
				if c.workspace == other {
					present = 0
				}
				want := fmt.Sprintf("Workspace %s has %d %s, and lists say %d.", c.workspace, present, r.Spec().Plural, c.counted)
				p.finds(t, false, want)
				p.finds(t, false, want)
				p.finds(t, true, want)
				p.finds(t, false)
			}
			if err := p.make(p.ctx, p.client, r, 100+i); err != nil {
				t.Fatal(err)
			}
			p.finds(t, false)
		}
	})
}

// Triggers that are off or away are found, and after they are on again the counts
// are mended.
func TestTriggersThatAreOff(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		off, on := "ALTER TABLE tasks DISABLE TRIGGER tasks_count_insert", "ALTER TABLE tasks ENABLE TRIGGER tasks_count_insert"
		if p.db.Dialect() == dialect.SQLite {
			if err := p.db.SQL().QueryRowContext(t.Context(), "SELECT sql FROM sqlite_master WHERE name = 'tasks_count_insert'").Scan(&on); err != nil {
				t.Fatal(err)
			}
			off = "DROP TRIGGER tasks_count_insert"
		}
		p.run(t, "%s", off)
		p.run(t, "INSERT INTO tasks (workspace_id, id, created_at, updated_at, name) VALUES ('%s', '%s', '%s', '%[3]s', 'uncounted')", p.acme, uuid.New(), time.Now().UTC().Format(time.RFC3339))
		p.finds(t, false, "tasks_count_insert of tasks", "Workspace "+p.acme.String())
		if _, err := p.db.SQL().ExecContext(t.Context(), on); err != nil {
			t.Fatal(err)
		}
		p.finds(t, true, "Workspace "+p.acme.String())
		p.finds(t, false)
	})
}

// A transaction that stays open, such as a long import, holds up nobody who counts,
// and two that write to resources crosswise do not wait for each other. (SQLite has
// one writer at a time.)
func TestOpenTransactionHoldsUpNobody(t *testing.T) {
	t.Parallel()
	p := admit(t, dbtest.Open(t, dialect.Postgres))
	one, err := p.client.Tx(p.ctx)
	if err != nil {
		t.Fatal(err)
	}
	other, err := p.client.Tx(p.ctx)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	one.Task.Create().SetName("first").SaveX(ctx)
	other.Project.Create().SetName("first").SaveX(ctx)
	other.Task.Create().SetName("crosswise").SaveX(ctx)
	one.Project.Create().SetName("crosswise").SaveX(ctx)
	p.client.Task.Create().SetName("meanwhile").SaveX(ctx)
	if err := errors.Join(one.Rollback(), other.Commit()); err != nil {
		t.Error(err)
	}
	p.finds(t, false)
}

var errRolledBack = errors.New("rolled back")

func inSQL(t *testing.T, db *database.DB, statements ...string) error {
	t.Helper()
	tx, err := db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	for _, s := range statements {
		if _, err := tx.ExecContext(t.Context(), s); err != nil {
			return err
		}
	}
	return tx.Commit()
}

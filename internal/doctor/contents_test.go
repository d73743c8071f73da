package doctor_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	declared "records/ent/migrate"
	"records/ent/rule"
	"records/internal/account"
	"records/internal/apikey"
	"records/internal/dbtest"
	"records/internal/doctor"
	"records/internal/viewer"
	"records/migrate"
)

// peopled adds to a patient a row of every table that refers to another.
func (p patient) peopled(t *testing.T) {
	t.Helper()
	ctx := rule.AsOperator(t.Context())
	_, _, err := apikey.Create(ctx, p.client, apikey.Request{Workspace: p.acme, Name: "a key", Scope: viewer.Read})
	if err != nil {
		t.Fatal(err)
	}
	u, err := account.CreateUser(t.Context(), p.client, account.NewUser{Email: "a@example.com", Name: "A", Password: "correct horse battery staple"})
	if err != nil {
		t.Fatal(err)
	}
	if err := account.Join(t.Context(), p.client, p.acme, u.ID, viewer.RoleOwner); err != nil {
		t.Fatal(err)
	}
	if _, _, err := account.Invite(ctx, p.client, p.acme, viewer.RoleOwner, ""); err != nil {
		t.Fatal(err)
	}
	p.client.Session.Create().SetHash("h").SetUserID(u.ID).SetData([]byte("{}")).SetExpiresAt(time.Now().Add(time.Hour)).ExecX(ctx)
}

// unguarded runs a statement past the foreign keys.
func (p patient) unguarded(t *testing.T, statement string) {
	t.Helper()
	pool, err := p.db.Apart(time.Second) // of SQLite it does not enforce them
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	conn, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if p.db.Dialect() == dialect.Postgres {
		statement = "SET session_replication_role = replica; " + statement
	}
	if _, err := conn.ExecContext(context.Background(), statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// Each reference that the schemas declare, of records, keys, members and all else, is
// found where it leads nowhere; between records also where it leads to another workspace.
func TestReferencesThatLeadNowhere(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		p.peopled(t)
		p.finds(t, false)
		other := p.workspace(t)
		tried := 0
		for _, table := range declared.Tables {
			for _, fk := range table.ForeignKeys {
				column, to := fk.Columns[0].Name, fk.RefTable.Name
				words := fmt.Sprintf("have a %s that", column)
				key := "id"
				if table.Name == "record_counts" {
					key = "resource = 'tasks' AND slot" // it has no id
				}
				var id, was any
				query := fmt.Sprintf("SELECT %s, CAST(%s AS varchar) FROM %s LIMIT 1", lastWord(key), column, table.Name)
				if err := p.db.SQL().QueryRowContext(t.Context(), query).Scan(&id, &was); err != nil {
					t.Fatalf("%s has no row: %v", table.Name, err)
				}
				where := fmt.Sprintf("%s = '%s'", key, text(id))
				set := func(value string) {
					p.unguarded(t, fmt.Sprintf("UPDATE %s SET %s = %s WHERE %s", table.Name, column, value, where))
				}
				set("'" + uuid.NewString() + "'")
				p.findsOne(t, words, " in "+to+",")
				if was == nil {
					set("NULL")
				} else {
					set("'" + text(was) + "'")
				}
				tried++
			}
		}
		if tried < 20 {
			t.Errorf("only %d references", tried)
		}
		p.finds(t, false)
		project := p.client.Project.Create().SetName("another's").SaveX(inside(t, other))
		p.unguarded(t, fmt.Sprintf("UPDATE tasks SET project_id = '%s' WHERE workspace_id = '%s'", project.ID, p.acme))
		p.findsOne(t, "have a project_id that its workspace does not have in projects, such as "+project.ID.String())
	})
}

func lastWord(s string) string { return s[strings.LastIndex(s, " ")+1:] }

func text(v any) string {
	if b, ok := v.([]byte); ok {
		return string(b)
	}
	return fmt.Sprint(v)
}

// findsOne examines the database: among what it finds is one fault of the references
// with all these words. A row that is moved is miscounted, too.
func (p patient) findsOne(t *testing.T, words ...string) {
	t.Helper()
	faults, err := doctor.Examine(t.Context(), p.db, false)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range faults {
		all := f.Check == "references"
		for _, w := range words {
			all = all && strings.Contains(f.What, w)
		}
		if all {
			n++
		}
	}
	if n != 1 {
		t.Errorf("found %+v, want one with %q", faults, words)
	}
}

// Triggers that are away, or others than the migrations wrote, are found; so is the
// function that they run.
func TestTriggersOfTheMigrations(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		if p.db.Dialect() == dialect.SQLite {
			exec(t, p.db.SQL(), "DROP TRIGGER api_keys_renew_generation_update", "DROP TRIGGER tasks_count_delete",
				"CREATE TRIGGER tasks_count_delete AFTER DELETE ON tasks FOR EACH ROW BEGIN SELECT 1; END", "DROP TRIGGER deals_clear_references")
			p.finds(t, false, "api_keys_renew_generation_update of api_keys is missing", "deals_clear_references of deals is missing", "tasks_count_delete of tasks is another one")
			return
		}
		exec(t, p.db.SQL(), "ALTER TABLE api_keys DISABLE TRIGGER api_keys_renew_generation", "DROP TRIGGER tasks_count_delete ON tasks",
			"DROP TRIGGER deals_count_insert ON deals", "CREATE TRIGGER deals_count_insert BEFORE INSERT ON deals FOR EACH STATEMENT EXECUTE FUNCTION renew_key_generation()")
		p.finds(t, false, "api_keys_renew_generation of api_keys is switched off", "deals_count_insert of deals is another one", "tasks_count_delete of tasks is missing")
		exec(t, p.db.SQL(), "CREATE OR REPLACE FUNCTION renew_key_generation() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
			"ALTER TABLE api_keys ENABLE TRIGGER api_keys_renew_generation", "DROP FUNCTION count_slot")
		p.finds(t, false, "The function renew_key_generation of the trigger api_keys_renew_generation", "The function count_slot is missing.", "deals_count_insert", "tasks_count_delete")
	})
}

// A schema whose name needs quotes is looked at like any other, and in a database that
// lets nobody call a function who was not granted it whoever writes records may call
// what counts them.
func TestSchemaOfAnotherName(t *testing.T) {
	t.Parallel()
	url := dbtest.EmptyURL(t, dialect.Postgres)
	exec(t, dbtest.OpenURL(t, url).SQL(), `CREATE SCHEMA "My app"`, "ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC")
	db := dbtest.OpenURL(t, url+"&search_path=%22My%20app%22")
	if _, err := migrate.Embedded.Up(t.Context(), db, migrate.Options{}); err != nil {
		t.Fatal(err)
	}
	p := admit(t, db)
	p.finds(t, false)
	exec(t, db.SQL(), "ALTER TABLE tasks DROP CONSTRAINT tasks_projects_project", "DROP TRIGGER tasks_count_delete ON tasks")
	p.finds(t, false, "The foreign key of tasks.project_id to projects is missing.", "tasks_count_delete of tasks is missing")
	var may bool
	if err := db.SQL().QueryRowContext(t.Context(), "SELECT has_function_privilege('public', 'count_slot(integer)', 'EXECUTE')").Scan(&may); err != nil || !may {
		t.Errorf("who writes records may call count_slot: %t, %v", may, err)
	}
}

// Foreign keys that are away or off are found, and those that do not hold the workspace.
func TestForeignKeysOfTheMigrations(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		if p.db.Dialect() == dialect.SQLite {
			exec(t, p.db.SQL(), "CREATE TABLE others (id uuid, hash text, data blob, address text, agent text, created_at datetime, last_used_at datetime, expires_at datetime, user_id uuid)", "DROP TABLE sessions", "ALTER TABLE others RENAME TO sessions")
			p.finds(t, false, "two rows of sessions from having the same id.", "two rows of sessions from having the same hash.",
				"The index session_expires_at of sessions", "The index session_user_id of sessions", "The foreign key of sessions.user_id to users is missing.")
			return
		}
		exec(t, p.db.SQL(), "ALTER TABLE tasks DROP CONSTRAINT tasks_projects_project")
		p.finds(t, false, "The foreign key of tasks.project_id to projects is missing.")
		exec(t, p.db.SQL(), "ALTER TABLE tasks ADD CONSTRAINT x FOREIGN KEY (workspace_id, project_id) REFERENCES projects (workspace_id, id) NOT VALID")
		p.finds(t, false, "The foreign key of tasks.project_id to projects is not validated.")
		exec(t, p.db.SQL(), "ALTER TABLE tasks DROP CONSTRAINT x", "CREATE UNIQUE INDEX ON projects (id)", "ALTER TABLE tasks ADD FOREIGN KEY (project_id) REFERENCES projects (id)")
		p.finds(t, false, "The foreign key of tasks.project_id to projects does not hold the workspace.")
		exec(t, p.db.SQL(), "ALTER TABLE members DISABLE TRIGGER ALL")
		p.finds(t, false, "members.workspace_id to workspaces is switched off", "members.user_id to users is switched off", "does not hold the workspace")
	})
}

// What is gone together with a column is found at once, and what other tables hold is
// looked at, and mended.
func TestColumnsThatAreMissing(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		exec(t, p.db.SQL(), "DROP INDEX session_expires_at", "ALTER TABLE sessions DROP COLUMN expires_at", "UPDATE record_counts SET n = n + 1 WHERE resource = 'deals'")
		const column, index = "The column expires_at of sessions is missing.", "The index session_expires_at of sessions is missing"
		p.finds(t, false, column, index, " deals, and lists say ")
		faults, err := p.examine(t, true)
		if err != nil || len(faults) != 3 || !faults[2].Mended {
			t.Error(faults, err)
		}
		p.finds(t, false, column, index)
	})
}

// Foreign keys that do another thing when what they name is deleted are found.
func TestForeignKeysThatDeleteOtherwise(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		if p.db.Dialect() == dialect.SQLite {
			exec(t, p.db.SQL(), "PRAGMA writable_schema = 1",
				"UPDATE sqlite_schema SET sql = replace(sql, 'ON DELETE CASCADE', 'ON DELETE NO ACTION') WHERE name = 'sessions'",
				"UPDATE sqlite_schema SET sql = replace(replace(sql, 'ON UPDATE NO ACTION ', ''), 'REFERENCES `projects` (`workspace_id`, `id`) ON DELETE NO ACTION', 'REFERENCES `projects` (`workspace_id`, `id`) ON DELETE CASCADE') WHERE name = 'tasks'",
				"PRAGMA writable_schema = RESET")
			p.finds(t, false, "sessions.user_id to users has ON DELETE NO ACTION, and not CASCADE.", "tasks.project_id to projects has ON DELETE CASCADE, and not NO ACTION.")
			return
		}
		change := func(table, key, column, to, columns, deletes string) {
			exec(t, p.db.SQL(), fmt.Sprintf("ALTER TABLE %s DROP CONSTRAINT %s, ADD CONSTRAINT %[2]s FOREIGN KEY (%s) REFERENCES %s (%s) ON DELETE %s", table, key, column, to, columns, deletes))
		}
		change("sessions", "sessions_users_user", "user_id", "users", "id", "RESTRICT")
		change("tasks", "tasks_projects_project", "workspace_id, project_id", "projects", "workspace_id, id", "SET NULL")
		p.finds(t, false, "sessions.user_id to users has ON DELETE RESTRICT, and not CASCADE.", "tasks.project_id to projects has ON DELETE SET NULL, and not SET NULL (project_id).")
		change("tasks", "tasks_projects_project", "workspace_id, project_id", "projects", "workspace_id, id", "CASCADE")
		p.finds(t, false, "has ON DELETE RESTRICT", "has ON DELETE CASCADE, and not SET NULL (project_id).")
	})
}

// A migration that was applied after a newer one is found, and that nobody has kept
// which migrations there were.
func TestHistoryOfMigrations(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		const initial, counts = "20261121073704", "20261121135755"
		exec(t, p.db.SQL(), "UPDATE schema_migrations SET version_id = 1 WHERE version_id = "+initial, "UPDATE schema_migrations SET version_id = "+initial+" WHERE version_id = "+counts,
			"UPDATE schema_migrations SET version_id = "+counts+" WHERE version_id = 1")
		p.finds(t, false, "The migration "+initial+" was applied after "+counts, "The migration 20261121133122 was applied after "+counts)
		exec(t, p.db.SQL(), "DROP TABLE schema_history")
		p.finds(t, false, initial, "20261121133122", "The table schema_history is missing.")
	})
}

// Tables that are away are found, and nothing is looked at that needs them.
func TestTablesThatAreMissing(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		exec(t, p.db.SQL(), "ALTER TABLE tasks DROP COLUMN priority", "ALTER TABLE users RENAME TO people")
		p.finds(t, false, "The column priority of tasks is missing.", "The table users is missing.")
		faults, err := p.examine(t, true)
		if err != nil || len(faults) != 2 || faults[0].Mended {
			t.Error(faults, err)
		}
	})
}

// A check that fails does not take with it what the others found, and nothing is mended.
func TestWhatACheckCannotRead(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		exec(t, p.db.SQL(), "DROP INDEX tasks_project_id", "DELETE FROM key_generations")
		if p.db.Dialect() == dialect.SQLite {
			exec(t, p.db.SQL(), "UPDATE record_counts SET n = 9e999")
		} else {
			exec(t, p.db.SQL(), "UPDATE record_counts SET n = 9223372036854775807", "INSERT INTO record_counts SELECT workspace_id, resource, 99, n FROM record_counts")
		}
		faults, err := p.examine(t, true)
		if err == nil || len(faults) == 0 || !strings.Contains(faults[0].What, "tasks_project_id") || faults[0].Mended {
			t.Error(faults, err)
		}
	})
}

// What was put right before a check failed, its failure undid, and so it is told.
func TestMendingThatFails(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		exec(t, p.db.SQL(), "UPDATE record_counts SET n = n + 1 WHERE resource = 'tasks'", "DELETE FROM key_generations", map[string]string{
			dialect.SQLite:   "CREATE TRIGGER refuse BEFORE INSERT ON key_generations BEGIN SELECT RAISE(ABORT, 'no'); END",
			dialect.Postgres: "ALTER TABLE key_generations ADD CHECK (false)",
		}[p.db.Dialect()])
		faults, err := p.examine(t, true)
		if err == nil || len(faults) != 1 || faults[0].Check != "counts" || faults[0].Mended {
			t.Error(faults, err)
		}
		if faults, err := p.examine(t, false); err != nil || len(faults) != 2 {
			t.Errorf("then %v, %v", faults, err)
		}
	})
}

// Primary keys and other unique ones that are away are found, and one that does not
// hold the workspace.
func TestUniqueKeysThatAreMissing(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		exec(t, p.db.SQL(), "DROP INDEX member_workspace_id_user_id")
		words := []string{"two rows of members from having the same workspace_id and user_id."}
		p.finds(t, false, words...)
		exec(t, p.db.SQL(), "CREATE UNIQUE INDEX member_workspace_id_user_id ON members (workspace_id, user_id) WHERE role = 'owner'")
		p.finds(t, false, words...)
		if p.db.Dialect() == dialect.SQLite {
			return // it drops no key of a table
		}
		exec(t, p.db.SQL(), "ALTER TABLE tasks DROP CONSTRAINT tasks_pkey", "ALTER TABLE tasks ADD PRIMARY KEY (id)",
			"ALTER TABLE record_counts DROP CONSTRAINT record_counts_pkey")
		p.finds(t, false, append(words, "two rows of record_counts from having the same slot.", "two rows of tasks from having the same workspace_id and id.")...)
	})
}

// Plain indexes that are away are found, or such as PostgreSQL does not use.
func TestIndexesThatAreMissing(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		exec(t, p.db.SQL(), "DROP INDEX tasks_project_id")
		const away = "The index tasks_project_id of tasks is missing"
		p.finds(t, false, away)
		if p.db.Dialect() == dialect.SQLite {
			return
		}
		exec(t, p.db.SQL(), "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'deals_company_id'::regclass")
		p.finds(t, false, "The index deals_company_id of deals is missing, or not valid", away)
	})
}

// An index of the same name over other columns is not taken for ours, nor is one whose
// columns come in another order.
func TestIndexesOverOtherColumns(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		exec(t, p.db.SQL(), "DROP INDEX tasks_project_id", "CREATE INDEX tasks_project_id ON tasks (workspace_id, assignee_id) WHERE project_id IS NOT NULL",
			"DROP INDEX deals_company_id", "CREATE INDEX deals_company_id ON deals (company_id, workspace_id) WHERE company_id IS NOT NULL",
			"DROP INDEX member_user_id", "CREATE INDEX member_user_id ON members (lower(role))")
		p.finds(t, false, "The index deals_company_id of deals is over company_id, workspace_id, and not over workspace_id, company_id.",
			"The index member_user_id of members is over expressions, and not over user_id.",
			"The index tasks_project_id of tasks is over workspace_id, assignee_id, and not over workspace_id, project_id.")
	})
}

// Columns of another type are found at once, and what other tables hold is looked at.
func TestColumnsOfAnotherType(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		if p.db.Dialect() == dialect.SQLite {
			exec(t, p.db.SQL(), "PRAGMA writable_schema = 1", "UPDATE sqlite_schema SET sql = replace(sql, '`value` text', '`value` real') WHERE name = 'deals'", "PRAGMA writable_schema = RESET")
			p.finds(t, false, "The column value of deals is real, and not text.")
			return
		}
		exec(t, p.db.SQL(), "ALTER TABLE deals ALTER COLUMN value TYPE double precision", "ALTER TABLE invoices ALTER COLUMN amount TYPE numeric(12,2)",
			"ALTER TABLE record_counts ALTER COLUMN n TYPE text", "ALTER TABLE tasks ALTER COLUMN name TYPE varchar(10) USING left(name, 10)", "DELETE FROM key_generations")
		p.finds(t, false, "The column value of deals is double precision, and not numeric(19,4).", "The column amount of invoices is numeric(12,2), and not numeric(19,4).",
			"The column n of record_counts is text, and not bigint.", "The column name of tasks is character varying(10), and not character varying.", "The row of key_generations is missing")
	})
}

// Foreign keys that are looked at later, or that do another thing when what they name
// gets another id, are found.
func TestForeignKeysThatHoldOtherwise(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		if p.db.Dialect() == dialect.SQLite {
			exec(t, p.db.SQL(), "PRAGMA writable_schema = 1",
				"UPDATE sqlite_schema SET sql = replace(sql, 'ON UPDATE NO ACTION', 'ON UPDATE CASCADE') WHERE name = 'sessions'",
				"PRAGMA writable_schema = RESET")
			p.finds(t, false, "sessions.user_id to users has ON UPDATE CASCADE, and not NO ACTION.")
			return
		}
		exec(t, p.db.SQL(), "ALTER TABLE members ALTER CONSTRAINT members_users_user DEFERRABLE INITIALLY DEFERRED",
			"ALTER TABLE sessions DROP CONSTRAINT sessions_users_user, ADD CONSTRAINT sessions_users_user FOREIGN KEY (user_id) REFERENCES users (id) ON UPDATE CASCADE ON DELETE CASCADE")
		p.finds(t, false, "members.user_id to users is DEFERRABLE.", "sessions.user_id to users has ON UPDATE CASCADE, and not NO ACTION.")
	})
}

// What tells older programs apart is missed where it was emptied, or a part of it is gone;
// migrations from before it was kept are not in it.
func TestHistoryThatWasEmptied(t *testing.T) {
	each(t, func(t *testing.T, p patient) {
		exec(t, p.db.SQL(), "DELETE FROM schema_history WHERE version = 20261121073704")
		p.finds(t, false)
		exec(t, p.db.SQL(), "DELETE FROM schema_history WHERE version = 20261121135755")
		p.finds(t, false, "The table schema_history lacks 1 of the migrations that were applied.")
		exec(t, p.db.SQL(), "DELETE FROM schema_history")
		p.finds(t, false, "The table schema_history lacks ")
	})
}

// Tables that a crash would empty are found, and rules, which write other things than
// they are told to.
func TestTablesThatLoseWrites(t *testing.T) {
	t.Parallel()
	p := admit(t, dbtest.Open(t, dialect.Postgres))
	exec(t, p.db.SQL(), "ALTER TABLE key_traffic SET UNLOGGED", "ALTER TABLE schema_history SET UNLOGGED", "CREATE UNLOGGED TABLE others (a text)",
		"CREATE RULE quiet AS ON DELETE TO tasks DO INSTEAD NOTHING", "CREATE RULE off AS ON UPDATE TO tasks DO INSTEAD NOTHING", "ALTER TABLE tasks DISABLE RULE off",
		"CREATE RULE theirs AS ON DELETE TO others DO INSTEAD NOTHING", "CREATE VIEW seen AS SELECT * FROM tasks")
	p.finds(t, false, "Tables are unlogged: key_traffic, schema_history.", "The rule quiet of tasks is none of the migrations'.")
}

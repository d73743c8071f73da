package main

import (
	"database/sql"
	"errors"
	"strings"

	"github.com/lib/pq"
	sqlite3 "modernc.org/sqlite/lib"
)

const connections = 16 // as many as come at once in most of the plan

// Each count is split over 16 slots, so that those who write in one workspace do
// not wait for one another; a page's total is their sum.
var postgresStatements = statements{
	prepare: []string{
		`DO $$ DECLARE name text; BEGIN
			FOR name IN SELECT tgname FROM pg_trigger WHERE tgrelid = 'tasks'::regclass AND NOT tgisinternal LOOP
				EXECUTE format('DROP TRIGGER %I ON tasks', name);
			END LOOP;
		END $$`,
		`DROP TABLE IF EXISTS baseline_counts`,
		`CREATE TABLE baseline_counts (workspace_id uuid NOT NULL, resource text NOT NULL, slot integer NOT NULL, n bigint NOT NULL,
			PRIMARY KEY (workspace_id, resource, slot)) WITH (fillfactor = 50)`,
		`INSERT INTO baseline_counts SELECT workspace_id, 'tasks', 0, count(*) FROM tasks GROUP BY workspace_id`,
		`ANALYZE baseline_counts`,
	},
	dateText: "due_date::text",
	casts:    map[string]string{"project_id": "::uuid", "assignee_id": "::uuid", "due_date": "::date"},
	insert: `WITH counted AS (
			INSERT INTO baseline_counts AS c VALUES ($1, 'tasks', pg_backend_pid() % 16, 1)
			ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = c.n + 1)
		INSERT INTO tasks (workspace_id, id, created_at, updated_at, name, status, priority, project_id, assignee_id, due_date, description)
		VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10)`,
	delete: `WITH gone AS (DELETE FROM tasks WHERE workspace_id = $1 AND id = $2 RETURNING workspace_id),
		counted AS (
			INSERT INTO baseline_counts AS c SELECT workspace_id, 'tasks', pg_backend_pid() % 16, -1 FROM gone
			ON CONFLICT (workspace_id, resource, slot) DO UPDATE SET n = c.n - 1)
		SELECT workspace_id FROM gone`,
}

func (s *store) openPostgres(url string) error {
	if !strings.Contains(url, "timezone") {
		url += "&timezone=UTC"
	}
	db, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	s.reader, s.writer = db, db
	return nil
}

func isForeignKeyViolation(err error) bool {
	var inPostgres *pq.Error
	var inSQLite interface{ Code() int }
	return errors.As(err, &inPostgres) && inPostgres.Code == "23503" ||
		errors.As(err, &inSQLite) && inSQLite.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

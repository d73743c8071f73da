package main

import (
	"database/sql"
	"net/url"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

const readers = 8

// The counts are kept by triggers: on one writing connection a statement of its
// own for them would need a transaction around the two.
var sqliteStatements = statements{
	prepare: []string{
		`DROP TABLE IF EXISTS baseline_counts`,
		`CREATE TABLE baseline_counts (workspace_id uuid NOT NULL, resource text NOT NULL, n integer NOT NULL,
			PRIMARY KEY (workspace_id, resource)) WITHOUT ROWID`,
		`INSERT INTO baseline_counts SELECT workspace_id, 'tasks', count(*) FROM tasks GROUP BY workspace_id`,
		`CREATE TRIGGER baseline_created AFTER INSERT ON tasks BEGIN
			INSERT INTO baseline_counts VALUES (NEW.workspace_id, 'tasks', 1)
			ON CONFLICT (workspace_id, resource) DO UPDATE SET n = n + 1;
		END`,
		`CREATE TRIGGER baseline_deleted AFTER DELETE ON tasks BEGIN
			UPDATE baseline_counts SET n = n - 1 WHERE workspace_id = OLD.workspace_id AND resource = 'tasks';
		END`,
	},
	dateText: "due_date",
	insert: `INSERT INTO tasks (workspace_id, id, created_at, updated_at, name, status, priority, project_id, assignee_id, due_date, description)
		VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10)`,
	delete: `DELETE FROM tasks WHERE workspace_id = $1 AND id = $2`,
}

// openSQLite opens a file for one writer and several readers, as durable as the
// program: every write is on the disk before it is answered.
func (s *store) openSQLite(path string) (err error) {
	pool := func(conns int, params ...string) *sql.DB {
		params = append(params, "_pragma=foreign_keys(1)", "_pragma=busy_timeout(8000)", "_pragma=synchronous(FULL)", "_time_format=sqlite", "_timezone=UTC")
		db, failed := sql.Open("sqlite", "file:"+url.PathEscape(path)+"?"+strings.Join(params, "&"))
		if failed != nil {
			err = failed
			return nil
		}
		db.SetMaxOpenConns(conns)
		db.SetMaxIdleConns(conns)
		return db
	}
	s.writer = pool(1, "_pragma=journal_mode(WAL)")
	s.reader = pool(readers, "_pragma=query_only(1)")
	if err != nil {
		return err
	}
	return s.dropTriggers()
}

// dropTriggers drops the program's own triggers on tasks, which SQLite cannot do
// in SQL alone.
func (s *store) dropTriggers() error {
	rows, err := s.writer.Query(`SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = 'tasks'`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return err
		}
		names = append(names, name)
	}
	if err := rows.Close(); err != nil {
		return err
	}
	for _, name := range names {
		if _, err := s.writer.Exec("DROP TRIGGER " + name); err != nil {
			return err
		}
	}
	return rows.Err()
}

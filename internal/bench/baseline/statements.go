package main

import (
	"fmt"
	"strings"
)

// statements are the texts that differ between the two databases. Parameters are
// $1, $2, … on both.
type statements struct {
	prepare        []string // run at the start, and harmless when run again
	dateText       string   // due_date as text
	casts          map[string]string
	insert, delete string
}

const keyText = `SELECT workspace_id, scope FROM api_keys
	WHERE hash = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $2)`

// The total of a workspace, $1: from the kept counts, and counted.
const (
	keptTotal    = `(SELECT coalesce(sum(n), 0) FROM baseline_counts WHERE workspace_id = $1 AND resource = 'tasks')`
	countedTotal = `(SELECT count(*) FROM tasks WHERE workspace_id = $1)`
)

func (s *statements) columns() string {
	return "id, name, status, priority, project_id, assignee_id, " + s.dateText + ", description, created_at, updated_at"
}

func (s *statements) get() string {
	return "SELECT " + s.columns() + " FROM tasks WHERE workspace_id = $1 AND id = $2"
}

// first reads the page at offset 0.
func (s *statements) first(total string) string {
	return "SELECT " + s.columns() + ", " + total + " FROM tasks WHERE workspace_id = $1 ORDER BY id DESC LIMIT $2"
}

// later reads a page further on. What comes before it is skipped in the index of
// the primary key alone, up to the id at which the page begins.
func (s *statements) later(total string) string {
	return "SELECT " + s.columns() + ", " + total + ` FROM tasks WHERE workspace_id = $1
		AND id <= (SELECT id FROM tasks WHERE workspace_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $3)
		ORDER BY id DESC LIMIT $2`
}

// update sets the columns that the body names, and returns the task.
func (s *statements) update() string {
	sets := []string{"updated_at = $3"}
	for i, column := range []string{"name", "status", "priority", "project_id", "assignee_id", "due_date", "description"} {
		sets = append(sets, fmt.Sprintf("%[1]s = CASE WHEN $%[2]d THEN $%[3]d%[4]s ELSE %[1]s END", column, 4+2*i, 5+2*i, s.casts[column]))
	}
	return "UPDATE tasks SET " + strings.Join(sets, ", ") + " WHERE workspace_id = $1 AND id = $2 RETURNING " + s.columns()
}

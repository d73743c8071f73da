package database_test

import (
	"fmt"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

// What a get and a create cost the database, with the statement kept by its
// connection and with a text that is new each time.
func BenchmarkSQLite(b *testing.B) {
	db := dbtest.Open(b, dialect.SQLite)
	workspace, id := uuid.NewString(), uuid.Must(uuid.NewV7()).String()
	now := time.Now().UTC().Truncate(time.Millisecond)
	run(b, db, `INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'w', $2)`, workspace, now)
	const insert = `INSERT INTO tasks (workspace_id, id, created_at, updated_at, name, status, priority, due_date) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`
	run(b, db, insert, workspace, id, now, now, "Send the revised offer", "open", "high", "2026-12-01")
	operations := []struct {
		name string
		run  func(b *testing.B, db *database.DB, suffix string)
	}{
		{"get", func(b *testing.B, db *database.DB, suffix string) {
			texts, err := query(b.Context(), db.Driver(), `SELECT name FROM tasks WHERE workspace_id = $1 AND id = $2`+suffix, workspace, id)
			if err != nil || len(texts) != 1 {
				b.Fatal(texts, err)
			}
		}},
		{"create", func(b *testing.B, db *database.DB, suffix string) {
			if _, err := exec(b.Context(), db, insert+suffix, workspace, uuid.Must(uuid.NewV7()), now, now, "Send the revised offer", "open", "high", "2026-12-01"); err != nil {
				b.Fatal(err)
			}
		}},
	}
	for _, o := range operations {
		for name, suffix := range map[string]string{"kept": "", "new": " -- %d"} {
			b.Run(o.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if suffix == "" {
						o.run(b, db, "")
						continue
					}
					o.run(b, db, fmt.Sprintf(suffix, i))
				}
			})
		}
	}
}

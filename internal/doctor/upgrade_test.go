package doctor_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/dbtest"
	"records/migrate"
)

// beforeCounts is the last migration that knows no counts.
const beforeCounts = 20261121073704

// The migration that brings the counts counts what is there and what an older
// program writes and removes meanwhile, by the statements that it knows.
func TestCountsBeginUnderWrites(t *testing.T) {
	t.Parallel()
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(d, func(t *testing.T) {
			t.Parallel()
			p := patient{db: dbtest.OpenURL(t, dbtest.EmptyURL(t, d))}
			if _, err := migrate.UpTo(t.Context(), p.db, beforeCounts); err != nil {
				t.Fatal(err)
			}
			workspace, now := uuid.New(), time.Now().UTC().Format("2006-01-02 15:04:05+00:00")
			p.run(t, "INSERT INTO workspaces (id, name, created_at) VALUES ('%s', 'Acme', '%s')", workspace, now)
			create := func(id uuid.UUID) {
				p.run(t, "INSERT INTO tasks (workspace_id, id, created_at, updated_at, name) VALUES ('%s', '%s', '%[3]s', '%[3]s', 'a')", workspace, id, now)
			}
			for range 20 {
				create(uuid.New())
			}
			var writers sync.WaitGroup
			done := make(chan struct{})
			for range 3 {
				writers.Go(func() {
					for i := 0; ; i++ {
						select {
						case <-done:
							return
						default:
						}
						if d == dialect.SQLite { // of which nobody has a turn that is sure to come
							time.Sleep(time.Millisecond)
						}
						id := uuid.New()
						create(id)
						if i%3 == 0 {
							p.run(t, "DELETE FROM tasks WHERE workspace_id = '%s' AND id = '%s'", workspace, id)
						}
					}
				})
			}
			time.Sleep(50 * time.Millisecond)
			applied, err := migrate.Up(t.Context(), p.db)
			close(done)
			writers.Wait()
			if err != nil || len(applied) < 2 {
				t.Fatalf("applied %v, %v", applied, err)
			}
			p.finds(t, false)
			p.run(t, "UPDATE record_counts SET n = n + 1 WHERE resource = 'tasks' AND slot = 0")
			var n int
			if err := p.db.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM tasks").Scan(&n); err != nil {
				t.Fatal(err)
			}
			p.finds(t, true, fmt.Sprintf("Workspace %s has %d tasks, and lists say %d.", workspace, n, n+1))
		})
	}
}

package database_test

import (
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

// What the cache of prepared statements buys, time of the server included.
func BenchmarkStatement(b *testing.B) {
	url := dbtest.URL(b, dialect.Postgres)
	for name, keep := range map[string]int{"as it is": 0, "prepared": database.DefaultStatementCache} {
		b.Run(name, func(b *testing.B) {
			db, err := database.Open(url, database.Options{MaxConns: 1, StatementCache: keep})
			if err != nil {
				b.Fatal(err)
			}
			defer db.Close()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := query(b.Context(), db.Driver(), `SELECT "name" FROM "tasks" WHERE "workspace_id" = $1 AND "id" = $1`, "0189d6c0-0000-7000-8000-000000000000"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

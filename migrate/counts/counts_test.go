package counts_test

import (
	"testing"

	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate/counts"
)

// A table of any name is compared and mended, also of one that is a word of SQL.
func TestAnyTable(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		workspace := uuid.NewString()
		for _, table := range []string{"order", "Order-Items", "größen"} {
			for _, statement := range []string{
				`INSERT INTO workspaces (id, name, created_at) SELECT '` + workspace + `', 'acme', '2026-11-22' WHERE NOT EXISTS (SELECT 1 FROM workspaces)`,
				`CREATE TABLE "` + table + `" (workspace_id uuid)`,
				`INSERT INTO "` + table + `" VALUES ('` + workspace + `'), ('` + workspace + `')`,
			} {
				if _, err := db.SQL().ExecContext(t.Context(), statement); err != nil {
					t.Fatal(err)
				}
			}
			for _, want := range []int{1, 0} {
				if wrong := compare(t, db, table); wrong != want {
					t.Errorf("%s: %d counts are wrong, want %d", table, wrong, want)
				}
				if _, err := db.SQL().ExecContext(t.Context(), counts.Mend(table)); err != nil {
					t.Errorf("%s: %v", table, err)
				}
			}
		}
	})
}

// compare returns how many workspaces are counted wrongly.
func compare(t *testing.T, db *database.DB, table string) (wrong int) {
	t.Helper()
	if err := db.SQL().QueryRowContext(t.Context(), "SELECT count(*) FROM ("+counts.Compare(table)+") AS wrong").Scan(&wrong); err != nil {
		t.Error(err)
	}
	return wrong
}

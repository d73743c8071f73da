package migrate_test

import (
	"testing"

	"records/internal/dbtest"
)

// A planted migration that is unsafe is refused by what CI asks, as a file of either
// database.
func TestPlantedMigrationIsRefused(t *testing.T) {
	t.Parallel()
	const released = 20261121073704
	for file, text := range map[string]string{
		"postgres/20270101000000_planted.sql": "CREATE INDEX tasks_name ON tasks (name);",
		"sqlite/20270101000000_planted.sql":   "ALTER TABLE tasks DROP COLUMN status;",
		"20270101000000_planted.sql":          "DELETE FROM invoices;",
	} {
		findings, err := dbtest.Migrations(t, map[string]string{file: text}).LintSince(released)
		if err != nil || len(findings) == 0 {
			t.Errorf("%s: %v, %v", file, findings, err)
		}
	}
}

package counts_test

import (
	"strings"
	"testing"

	"records/migrate/counts"
)

// A statement that is not surely that of a single record is left as it is, and to the
// triggers.
func TestItselfLeavesAlone(t *testing.T) {
	t.Parallel()
	for _, query := range []string{
		"",
		"SELECT 1",
		`INSERT INTO "api_keys" ("workspace_id", "id") VALUES ($1, $2)`,
		`INSERT INTO "tasks" ("name", "id") VALUES ($1, $2)`,
		`INSERT INTO "tasks" ("workspace_id", "id") VALUES ($1, $2), ($3, $4)`,
		`INSERT INTO "tasks" ("workspace_id", "id") VALUES ($1, $2) RETURNING "id"`,
		`INSERT INTO "tasks" ("workspace_id", "id") VALUES ($1, $2) ON CONFLICT DO NOTHING`,
		`INSERT INTO "tasks" ("workspace_id", "id") VALUES ($1, DEFAULT)`,
		`INSERT INTO "tasks" ("workspace_id", "id") SELECT $1, $2`,
		`INSERT INTO "tasks" ("workspace_id", "id") VALUES ($1)`,
		`INSERT INTO "other"."tasks" ("workspace_id", "id") VALUES ($1, $2)`,
		`DELETE FROM "tasks"`,
		`DELETE FROM "tasks" WHERE "tasks"."id" = $1`,
		`DELETE FROM "tasks" WHERE ("tasks"."workspace_id" = $1)`,
		`DELETE FROM "tasks" WHERE ("tasks"."name" = $1) AND ("tasks"."workspace_id" = $2)`,
		`DELETE FROM "tasks" WHERE ("tasks"."id" = $1) OR ("tasks"."workspace_id" = $2)`,
		`DELETE FROM "tasks" WHERE ("tasks"."id" = $1) AND ("tasks"."id" = $2)`,
		`DELETE FROM "tasks" WHERE ("tasks"."id" = $1) AND ("tasks"."workspace_id" = $2) AND ("tasks"."name" = $3)`,
		`DELETE FROM "api_keys" WHERE ("api_keys"."id" = $1) AND ("api_keys"."workspace_id" = $2)`,
		`UPDATE "tasks" SET "name" = $1 WHERE ("tasks"."id" = $2) AND ("tasks"."workspace_id" = $3)`,
	} {
		if got := counts.Itself(query, []string{"tasks", "deals"}); got != query {
			t.Errorf("%s\nbecomes %s", query, got)
		}
	}
}

// The statement itself is part of the one that counts, to the letter.
func TestItselfKeepsTheStatement(t *testing.T) {
	t.Parallel()
	for query, workspace := range map[string]string{
		`INSERT INTO "deals" ("name", "workspace_id", "id") VALUES ($1, $2, $3)`:          "VALUES ($2::uuid, 'deals', ",
		`INSERT INTO "tasks" ("workspace_id") VALUES ($1)`:                                "VALUES ($1::uuid, 'tasks', ",
		`DELETE FROM "tasks" WHERE ("tasks"."id" = $1) AND ("tasks"."workspace_id" = $2)`: "SELECT workspace_id, 'tasks', ",
		`DELETE FROM "deals" WHERE ("deals"."workspace_id" = $1) AND ("deals"."id" = $2)`: "SELECT workspace_id, 'deals', ",
	} {
		got := counts.Itself(query, []string{"tasks", "deals"})
		if !strings.HasPrefix(got, "/* counts itself in ") || !strings.Contains(got, query) || !strings.Contains(got, workspace) {
			t.Errorf("%s\nbecomes %s", query, got)
		}
		if again := counts.Itself(got, []string{"tasks", "deals"}); again != got {
			t.Errorf("and then %s", again)
		}
	}
}

package server_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/servertest"
)

// Every statement of a resource's operations is prepared so that it reads by an index,
// also where PostgreSQL takes all tables for empty when it plans: a statement stays as
// it was planned while the tables grow.
func TestStatementsReadByIndex(t *testing.T) {
	t.Parallel()
	db, err := database.Open(dbtest.URL(t, dialect.Postgres), database.Options{MaxConns: 1, StatementCache: 1000, ByIndex: true, Counted: entrest.Resources(nil).Tables()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	c := servertest.Start(t, db).NewClient(t)
	for _, r := range resourcesToWrite() {
		for i := range 3 {
			useAll(t, c, r, i)
			c.Do("GET", "/"+r.Spec().Plural+"?offset=3", nil)
		}
	}
	byIndex(t, db, "of empty tables")
	for _, r := range resourcesToWrite() {
		c.Create(r.Spec().Plural, load.Example(r, 0, nil))
	}
	if _, err := db.SQL().ExecContext(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
	byIndex(t, db, "of tables with a row")
}

func byIndex(t *testing.T, db *database.DB, what string) {
	t.Helper()
	seen := map[string]int{}
	for execute, text := range prepared(t, db) {
		word, _, _ := strings.Cut(text, " ")
		seen[word]++
		if plan := strings.Join(column(t, db, "EXPLAIN "+execute), "\n"); strings.Contains(plan, "Seq Scan") || strings.Contains(plan, "Sort") || strings.Contains(plan, "Bitmap") {
			t.Errorf("%s: %s\n%s", what, text, plan)
		}
	}
	n := len(resourcesToWrite())
	for word, least := range map[string]int{"SELECT": 2 * n, "/*": 2 * n, "UPDATE": 1} {
		if seen[word] < least {
			t.Errorf("%s: %d statements begin with %s, want %d", what, seen[word], word, least)
		}
	}
}

// prepared are the statements that a session has prepared, by what executes each
// without values.
func prepared(t *testing.T, db *database.DB) map[string]string {
	t.Helper()
	rows, err := db.SQL().QueryContext(t.Context(), `SELECT format('EXECUTE %I(%s)', name, repeat('NULL, ', cardinality(parameter_types) - 1) || 'NULL'), statement
		FROM pg_prepared_statements WHERE cardinality(parameter_types) > 0`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	all := map[string]string{}
	for rows.Next() {
		var execute, text string
		if err := rows.Scan(&execute, &text); err != nil {
			t.Fatal(err)
		}
		all[execute] = text
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// column returns the first column of a query.
func column(t *testing.T, db *database.DB, query string) (values []string) {
	t.Helper()
	rows, err := db.SQL().QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	return values
}

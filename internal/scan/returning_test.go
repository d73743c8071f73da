package scan_test

import (
	"errors"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/scan"
)

const update = `UPDATE workspaces SET name = 'other ' || id RETURNING name`

// The count is that of the rows, each of which is handed on. What goes wrong on the
// way is an error, and no shorter list.
func TestReturning(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		for _, id := range []string{"0189d6c0-0000-7000-8000-000000000001", "0189d6c0-0000-7000-8000-000000000002"} {
			if _, err := db.SQL().ExecContext(t.Context(), `INSERT INTO workspaces (id, name, created_at) VALUES ($1, $2, '2026-01-02 03:04:05+00:00')`, id, "one "+id); err != nil {
				t.Fatal(err)
			}
		}
		var names []string
		targets := func([]string) ([]any, error) { return []any{new(string)}, nil }
		assign := func(_ []string, values []any) error {
			names = append(names, *values[0].(*string))
			return nil
		}
		var result entsql.Result
		if err := scan.Returning(db.Driver(), targets, assign).Exec(t.Context(), update, []any{}, &result); err != nil {
			t.Fatal(err)
		}
		if n, err := result.RowsAffected(); n != 2 || err != nil || len(names) != 2 || !strings.HasPrefix(names[1], "other ") {
			t.Errorf("%d rows, %q, %v", n, names, err)
		}

		fault := errors.New("fault")
		for what, drv := range map[string]dialect.Driver{
			"no targets":     scan.Returning(db.Driver(), func([]string) ([]any, error) { return nil, fault }, assign),
			"no record":      scan.Returning(db.Driver(), targets, func([]string, []any) error { return fault }),
			"another target": scan.Returning(db.Driver(), func([]string) ([]any, error) { return []any{new(int)}, nil }, assign),
		} {
			if err := drv.Exec(t.Context(), update, []any{}, &result); err == nil {
				t.Errorf("%s: no error", what)
			}
		}
		if _, err := scan.Returning(db.Driver(), targets, assign).Tx(t.Context()); err == nil {
			t.Error("a transaction whose rows would not be seen")
		}
	})
}

// The rows of an update come before it is committed.
func TestLostReturningIsUnknown(t *testing.T) {
	t.Parallel()
	proxy := dbtest.NewProxy(t, dbtest.URL(t, dialect.Postgres))
	db := dbtest.OpenURL(t, proxy.URL())
	proxy.Cut(dbtest.Cut{Match: "RETURNING", Partial: true})
	drv := scan.Returning(db.Driver(),
		func([]string) ([]any, error) { return []any{new(string)}, nil },
		func([]string, []any) error { return nil })
	var result entsql.Result
	err := drv.Exec(t.Context(), `INSERT INTO workspaces (id, name, created_at) VALUES ($1, 'one', now()) RETURNING name`, []any{uuid.New()}, &result)
	if !errors.Is(err, database.ErrOutcomeUnknown) {
		t.Error(err)
	}
}

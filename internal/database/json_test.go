package database_test

import (
	"encoding/json"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

// JSON as Ent hands it over is stored as JSON, in SQLite as text. Null is null.
func TestJSON(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		column, kind, want := "jsonb", "jsonb_typeof(doc)", "object"
		if db.Dialect() == dialect.SQLite {
			column, kind, want = "json", "typeof(doc)", "text"
		}
		run(t, db, `CREATE TABLE docs (id integer, doc `+column+`)`)
		for id, doc := range []json.RawMessage{json.RawMessage(`{"a": ["<é>", 1]}`), json.RawMessage(`[]`), nil} {
			run(t, db, `INSERT INTO docs VALUES ($1, $2)`, id, doc)
		}
		var text, stored string
		if err := db.SQL().QueryRowContext(t.Context(), `SELECT doc->'a'->>0, `+kind+` FROM docs WHERE id = 0`).Scan(&text, &stored); err != nil || text != "<é>" || stored != want {
			t.Errorf("got %q in %s, %v", text, stored, err)
		}
		var list []byte
		if err := db.SQL().QueryRowContext(t.Context(), `SELECT doc FROM docs WHERE id = 1`).Scan(&list); err != nil || string(list) != "[]" {
			t.Errorf("got %s, %v", list, err)
		}
		var nulls int
		if err := db.SQL().QueryRowContext(t.Context(), `SELECT count(*) FROM docs WHERE doc IS NULL`).Scan(&nulls); err != nil || nulls != 1 {
			t.Errorf("%d nulls, %v", nulls, err)
		}
	})
}

// What is read of a moment is what was written, less what is finer than a
// microsecond: it is never later.
func TestMomentsAreCutOff(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		column := map[string]string{dialect.Postgres: "timestamptz", dialect.SQLite: "datetime"}[db.Dialect()]
		run(t, db, `CREATE TABLE moments (at `+column+`)`)
		at := time.Date(2026, 11, 21, 7, 8, 9, 486_999_999, time.UTC)
		run(t, db, `INSERT INTO moments VALUES ($1)`, at)
		var got time.Time
		if err := db.SQL().QueryRowContext(t.Context(), `SELECT at FROM moments`).Scan(&got); err != nil || !got.Equal(at.Truncate(time.Microsecond)) {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

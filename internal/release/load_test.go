package main

import (
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// insert executes INSERTs in any order of the tables: references are checked when
// all rows are there.
func insert(t *testing.T, db *database.DB, inserts string) {
	t.Helper()
	tx, err := db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	before, after := "PRAGMA defer_foreign_keys = ON", ""
	if db.Dialect() == dialect.Postgres {
		before, after = alter("DEFERRABLE INITIALLY DEFERRED"), "SET CONSTRAINTS ALL IMMEDIATE; "+alter("NOT DEFERRABLE")
	}
	for _, sql := range []string{before, inserts, after} {
		if _, err := tx.ExecContext(t.Context(), sql); err != nil {
			t.Fatalf("loading the data of the release: %v", err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// alter changes every foreign key of a PostgreSQL database.
func alter(to string) string {
	return `DO $$ DECLARE c record; BEGIN
		FOR c IN SELECT conrelid::regclass AS at, conname FROM pg_constraint WHERE contype = 'f' LOOP
			EXECUTE format('ALTER TABLE %s ALTER CONSTRAINT %I ` + to + `', c.at, c.conname);
		END LOOP;
	END $$`
}

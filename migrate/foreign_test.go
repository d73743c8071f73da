package migrate_test

import (
	"errors"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/migrate"
)

// A file of another program is left as it is, whatever its path was meant to be.
func TestForeignFile(t *testing.T) {
	t.Parallel()
	db := dbtest.OpenURL(t, dbtest.EmptyURL(t, dialect.SQLite))
	execute(t, db, "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY)")
	execute(t, db, "CREATE TABLE customers (id INTEGER PRIMARY KEY AUTOINCREMENT)") // makes sqlite_sequence
	_, err := up(t, db, nil)
	if !errors.Is(err, migrate.ErrForeign) {
		t.Errorf("a table of another program: %v", err)
	}
	fails(t, err, db.Path()+": it has tables, and was never migrated by records")
	if n := number(t, db, "SELECT count(*) FROM sqlite_schema"); n != 3 {
		t.Errorf("there are %d tables", n)
	}
	execute(t, db, "DROP TABLE customers")
	mustUp(t, db, nil)
	execute(t, db, "CREATE TABLE customers (id INTEGER)")
	mustUp(t, db, map[string]string{"20270101000000_more.sql": "CREATE TABLE more (id integer);"})
}

package database_test

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

// A kept statement sees the schema that another process has made meanwhile.
func TestSQLiteKeptStatementAndNewSchema(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	db := dbtest.OpenURL(t, url)
	run(t, db, `CREATE TABLE shapes (a VARCHAR(9))`)
	row := func() string {
		rows := &entsql.Rows{}
		if err := db.Driver().Query(t.Context(), `SELECT * FROM shapes`, []any{}, rows); err != nil {
			return err.Error()
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil || !rows.Next() {
			return fmt.Sprint(columns, err, rows.Err())
		}
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err.Error()
		}
		return fmt.Sprint(columns, values)
	}
	insert := func() {
		if _, err := exec(t.Context(), db, `INSERT INTO shapes (a) VALUES ($1)`, "x"); err != nil {
			t.Error(err)
		}
	}
	for _, step := range []struct{ change, want string }{
		{``, "[a] [x]"},
		{`ALTER TABLE shapes ADD COLUMN b INTEGER DEFAULT 7`, "[a b] [x 7]"},
		{`ALTER TABLE shapes DROP COLUMN b`, "[a] [x]"},
		{`ALTER TABLE shapes ADD COLUMN c VARCHAR(9) DEFAULT 'new'`, "[a c] [x new]"},
	} {
		other, err := database.Open(url, database.Options{})
		if err != nil {
			t.Fatal(err)
		}
		run(t, other, step.change)
		if err := other.Close(); err != nil {
			t.Fatal(err)
		}
		insert()
		for range 6 { // more than there are readers
			if got := row(); got != step.want {
				t.Errorf("after %q: %s; want %s", step.change, got, step.want)
			}
		}
	}
	run(t, db, `DROP TABLE shapes`)
	if got := row(); got == "[a c] [x new]" {
		t.Error("the table is gone, and its rows are not")
	}
}

// A statement whose rows are still read is not used again, in a transaction on the
// one connection.
func TestSQLiteKeptStatementInUse(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	for _, name := range []string{"a", "b", "c"} {
		run(t, db, insertThing, uuid.New(), name)
	}
	tx, err := db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	const all = `SELECT name FROM things ORDER BY name`
	outer := &entsql.Rows{}
	if err := tx.Query(t.Context(), all, []any{}, outer); err != nil {
		t.Fatal(err)
	}
	defer outer.Close()
	var seen []string
	for outer.Next() {
		var name string
		if err := outer.Scan(&name); err != nil {
			t.Fatal(err)
		}
		seen = append(seen, name)
		if inner, err := query(t.Context(), tx, all); err != nil || !slices.Equal(inner, []string{"a", "b", "c"}) {
			t.Error(inner, err)
		}
	}
	if err := outer.Err(); err != nil || !slices.Equal(seen, []string{"a", "b", "c"}) {
		t.Error(seen, err)
	}
}

// However many texts there are, and however long, few statements are kept.
func TestSQLiteKeptStatementsAreBounded(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	long := fmt.Sprintf("%-10000s", " ")
	for i := range 300 {
		text := fmt.Sprintf(`INSERT INTO notes VALUES ('%d')`, i)
		if i%10 == 0 {
			text += long
		}
		if _, err := exec(t.Context(), db, text); err != nil {
			t.Fatal(err)
		}
		if n, bytes := db.Kept(t); n == 0 || n > database.KeptStatements || bytes > database.KeptBytes {
			t.Fatalf("%d statements of %d bytes", n, bytes)
		}
	}
	if n, err := exec(t.Context(), db, `DELETE FROM notes`); n != 300 || err != nil {
		t.Error(n, err)
	}
}

// Kept statements do not keep the file open: as the last one leaves, SQLite folds
// the log in.
func TestSQLiteKeptStatementsAreClosed(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.SQLite)
	run(t, db, things)
	if _, err := query(t.Context(), db.Driver(), `SELECT name FROM things`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(db.Path() + "-wal"); !os.IsNotExist(err) {
		t.Error("the log is still there:", err)
	}
}

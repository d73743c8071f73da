package migrate_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate"
)

// quick gives up soon.
var quick = migrate.Options{LockTimeout: 200 * time.Millisecond, Patience: 1500 * time.Millisecond}

// seen gives up after it was seen waiting, also by a machine that does other things.
var seen = migrate.Options{LockTimeout: 2 * time.Second, Patience: 3 * time.Second}

// up applies the program's migrations and those that are added.
func up(t *testing.T, db *database.DB, added map[string]string) ([]string, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	return dbtest.Migrations(t, added).Up(ctx, db, quick)
}

// mustUp is up that succeeds.
func mustUp(t *testing.T, db *database.DB, added map[string]string) {
	t.Helper()
	if _, err := up(t, db, added); err != nil {
		t.Fatal(err)
	}
}

// fails checks that an error is there and holds the parts.
func fails(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q; want %q in it", err, part)
		}
	}
}

// execute runs a statement by hand.
func execute(t *testing.T, db *database.DB, query string) {
	t.Helper()
	if _, err := db.SQL().ExecContext(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

// each runs f with a migrated database.
func each(t *testing.T, f func(t *testing.T, db *database.DB)) {
	t.Helper()
	eachEmpty(t, func(t *testing.T, _, url string) {
		db := dbtest.OpenURL(t, url)
		mustUp(t, db, nil)
		f(t, db)
	})
}

// A migration that fails leaves nothing; those before it stay, those after it are
// not tried, and the error says what to look at.
func TestFailure(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		broken := map[string]string{
			"20270101000000_a.sql": "CREATE TABLE a (id integer PRIMARY KEY);",
			"20270102000000_b.sql": "-- the first\nCREATE TABLE b (id integer);\n\n-- the second\nINSERT INTO a\n  VALUES (1), (1);\nCREATE TABLE never (id integer);",
			"20270103000000_c.sql": "CREATE TABLE c (id integer);",
		}
		applied, err := up(t, db, broken)
		if !slices.Equal(applied, []string{"20270101000000_a.sql"}) {
			t.Errorf("applied %v", applied)
		}
		said := map[string]string{dialect.SQLite: "UNIQUE constraint failed: a.id", dialect.Postgres: "duplicate key value violates unique constraint"}[db.Dialect()]
		fails(t, err, "20270102000000_b.sql: statement 2 (line 6: INSERT INTO a …): ", said, "Nothing of this migration was kept", "applied before it: 20270101000000_a.sql")
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %v", err)
		}
		for _, table := range []string{"b", "never", "c"} {
			if _, err := db.SQL().Exec("SELECT * FROM " + table); err == nil {
				t.Errorf("there is a table %s", table)
			}
		}
		broken["20270102000000_b.sql"] = "CREATE TABLE b (id integer);"
		applied, err = up(t, db, broken)
		if err != nil || len(applied) != 2 {
			t.Errorf("then applied %v, %v", applied, err)
		}
	})
}

// A rule that an old record breaks is told by its name, with what is to be done.
func TestBrokenRule(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		last := map[string]string{
			dialect.Postgres: `ALTER TABLE a ADD CONSTRAINT small CHECK (n < 5) NOT VALID; ALTER TABLE a VALIDATE CONSTRAINT small;`,
			dialect.SQLite:   "CREATE TABLE new_a (n integer, CONSTRAINT small CHECK (n < 5)); INSERT INTO new_a SELECT * FROM a; DROP TABLE a; ALTER TABLE new_a RENAME TO a;",
		}[db.Dialect()]
		mustUp(t, db, map[string]string{"20270101000000_a.sql": "CREATE TABLE a (n integer); INSERT INTO a VALUES (7);"})
		files := map[string]string{"20270101000000_a.sql": "CREATE TABLE a (n integer); INSERT INTO a VALUES (7);", "20270102000000_small.sql": last}
		_, err := up(t, db, files)
		fails(t, err, `there is a record that breaks the rule "small": look for such records, change them, and run it again`, "Nothing of this migration was kept")
		execute(t, db, "UPDATE a SET n = 4")
		if applied, err := up(t, db, files); err != nil || len(applied) != 1 {
			t.Errorf("then applied %v, %v", applied, err)
		}
	})
}

// So are records that refer to none.
func TestReferenceToNone(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		last := map[string]string{
			dialect.Postgres: `ALTER TABLE a ADD CONSTRAINT own FOREIGN KEY (w, n) REFERENCES b (w, n) NOT VALID; ALTER TABLE a VALIDATE CONSTRAINT own;`,
			dialect.SQLite:   "CREATE TABLE new_a (w integer, n integer, CONSTRAINT own FOREIGN KEY (w, n) REFERENCES b (w, n)); INSERT INTO new_a SELECT * FROM a; DROP TABLE a; ALTER TABLE new_a RENAME TO a;",
		}[db.Dialect()]
		files := map[string]string{"20270101000000_a.sql": "CREATE TABLE b (w integer, n integer, PRIMARY KEY (w, n)); CREATE TABLE a (w integer, n integer); INSERT INTO a VALUES (1, 7), (1, 8);"}
		mustUp(t, db, files)
		files["20270102000000_own.sql"] = last
		_, err := up(t, db, files)
		fails(t, err, `there are records that refer to none: look for such records, clear or change what refers to none, and run it again`, "Nothing of this migration was kept")
		if db.Dialect() == dialect.SQLite {
			fails(t, err, "2 rows of a refer by n to rows of b")
		}
		execute(t, db, "UPDATE a SET n = NULL")
		if applied, err := up(t, db, files); err != nil || len(applied) != 1 {
			t.Errorf("then applied %v, %v", applied, err)
		}
	})
}

func TestUpTo(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		source := dbtest.Migrations(t, map[string]string{"20270101000000_a.sql": "CREATE TABLE a (id integer);", "20270102000000_b.sql": "CREATE TABLE b (id integer);"})
		applied, err := source.Up(t.Context(), db, migrate.Options{To: 20270101000000})
		if err != nil || !slices.Equal(applied, []string{"20270101000000_a.sql"}) {
			t.Errorf("applied %v, %v", applied, err)
		}
		if applied, err := migrate.UpTo(t.Context(), db, 1); err != nil || len(applied) != 0 {
			t.Errorf("then applied %v, %v", applied, err)
		}
	})
}

// A migration that another one has overtaken is not applied behind its back.
func TestOutOfOrder(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		mustUp(t, db, map[string]string{"20270102000000_b.sql": "CREATE TABLE b (id integer);"})
		source := dbtest.Migrations(t, map[string]string{"20270101000000_a.sql": "CREATE TABLE a (id integer);", "20270102000000_b.sql": "CREATE TABLE b (id integer);"})
		standing, err := source.Compare(t.Context(), db)
		if err != nil || !slices.Equal(standing.Pending, []string{"20270101000000_a.sql"}) {
			t.Errorf("pending %v, %v", standing.Pending, err)
		}
		_, err = source.Up(t.Context(), db, quick)
		fails(t, err, "20270101000000_a.sql", "is older than 20270102000000_b.sql")
	})
}

// A database that another branch has migrated takes nothing that was written without
// that branch's migration: on SQLite it may write a table anew without its columns.
func TestAnotherBranch(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		mustUp(t, db, map[string]string{"20270101000000_theirs.sql": "ALTER TABLE tasks ADD COLUMN memo text;"})
		_, err := up(t, db, map[string]string{"20270102000000_ours.sql": "ALTER TABLE tasks ADD COLUMN memo text;"})
		fails(t, err, "20270102000000_ours.sql is pending", "20270101000000_theirs.sql, which this version of records does not know", "another branch")
		mustUp(t, db, nil)
	})
}

// What goose takes for the end of a statement and is none.
func TestStatementsAreSplitAtSemicolons(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		mustUp(t, db, map[string]string{"20270101000000_a.sql": "CREATE TABLE a (v text); INSERT INTO a VALUES ('x;\ny');\n/* a;\n b */ INSERT INTO a VALUES ('" + strings.Repeat("z", 100_000) + "');\nINSERT INTO a VALUES ('last')"})
		if n := number(t, db, "SELECT count(*) FROM a WHERE v IN ('x;\ny', 'last') OR length(v) = 100000"); n != 3 {
			t.Errorf("%d rows", n)
		}
	})
}

package migrate_test

import (
	"strings"
	"testing"

	"records/internal/database"
	"records/internal/dbtest"
)

// alone is a migration of one statement outside of a transaction.
func alone(statement string) map[string]string {
	return map[string]string{
		"postgres/20270101000000_index.sql": "-- +goose Up\n-- +goose NO TRANSACTION\n" + statement + ";\n",
		"sqlite/20270101000000_index.sql":   "",
	}
}

const uniqueIndex = `CREATE UNIQUE INDEX CONCURRENTLY "numbers_n" ON "numbers" ("n")`

func numbers(t *testing.T) *database.DB {
	t.Helper()
	db, _ := postgres(t)
	execute(t, db, "CREATE TABLE numbers AS SELECT 1 AS n UNION ALL SELECT 1")
	return db
}

const validIndexes = "SELECT count(*) FROM pg_index WHERE indexrelid = to_regclass('numbers_n') AND indisvalid"

// A build that failed leaves an invalid index. The next run, once its cause is
// gone, drops it and builds again.
func TestInvalidIndexIsBuiltAgain(t *testing.T) {
	db := numbers(t)
	_, err := up(t, db, alone(uniqueIndex))
	fails(t, err, "20270101000000_index.sql: statement 1 (line 3: CREATE UNIQUE INDEX CONCURRENTLY", "could not create unique index", "Key (n)=(1) is duplicated", "look for such records, change them, and run it again", "the next `records migrate up` looks and repairs it")
	if n := number(t, db, "SELECT count(*) FROM pg_index WHERE indexrelid = to_regclass('numbers_n') AND NOT indisvalid"); n != 1 {
		t.Errorf("%d invalid indexes are left", n)
	}
	execute(t, db, "DELETE FROM numbers WHERE ctid = (SELECT min(ctid) FROM numbers)")
	mustUp(t, db, alone(uniqueIndex))
	if n := number(t, db, validIndexes); n != 1 {
		t.Errorf("%d valid indexes", n)
	}
}

// A run that ended between the work and the bookkeeping has done the work.
func TestValidIndexIsDone(t *testing.T) {
	db := numbers(t)
	execute(t, db, "DELETE FROM numbers")
	execute(t, db, strings.Replace(uniqueIndex, "CONCURRENTLY", "", 1))
	before := number(t, db, "SELECT to_regclass('numbers_n')::oid::bigint")
	mustUp(t, db, alone(uniqueIndex))
	if after := number(t, db, "SELECT to_regclass('numbers_n')::oid::bigint"); after != before {
		t.Error("the index was built again")
	}
	if pending, err := dbtest.Migrations(t, alone(uniqueIndex)).Compare(t.Context(), db); err != nil || len(pending.Pending) != 0 {
		t.Errorf("pending %v, %v", pending, err)
	}
}

// Another index of that name is not taken for it.
func TestAnotherIndexOfTheName(t *testing.T) {
	for name, query := range map[string]string{
		"another table": "CREATE UNIQUE INDEX numbers_n ON workspaces (id, name)",
		"not unique":    "CREATE INDEX numbers_n ON numbers (n)",
	} {
		t.Run(name, func(t *testing.T) {
			db := numbers(t)
			execute(t, db, query)
			_, err := up(t, db, alone(uniqueIndex))
			fails(t, err, "there is another index numbers_n, on ", "drop or rename it")
		})
	}
}

func TestDropIndexConcurrently(t *testing.T) {
	db, _ := postgres(t)
	mustUp(t, db, alone("DROP INDEX CONCURRENTLY tasks_project_id"))
	execute(t, db, "DELETE FROM schema_migrations WHERE version_id = 20270101000000") // as if killed before
	mustUp(t, db, alone("DROP INDEX CONCURRENTLY tasks_project_id"))
	if n := number(t, db, "SELECT count(*) FROM pg_class WHERE relname = 'tasks_project_id'"); n != 0 {
		t.Error("the index is there")
	}
}

// What cannot be repeated is refused before anything runs.
func TestOneStatementOutsideOfATransaction(t *testing.T) {
	db, _ := postgres(t)
	_, err := up(t, db, alone(uniqueIndex+"; SELECT 1"))
	fails(t, err, "20270101000000_index.sql:", "holds exactly one statement", "this one has 2")
}

// A build waits for transactions that began before it, without holding anyone up,
// and no longer than patience. What it leaves is repaired.
func TestBuildThatWaitsInVain(t *testing.T) {
	db, url := postgres(t)
	execute(t, db, "CREATE TABLE numbers AS SELECT 1 AS n")
	tx := hold(t, url)
	if _, err := tx.Exec("INSERT INTO numbers VALUES (2)"); err != nil {
		t.Fatal(err)
	}
	_, err := up(t, db, alone(uniqueIndex))
	fails(t, err, "canceling statement due to lock timeout", "it waited for ", `application "the holder"`, "the next `records migrate up` looks and repairs it")
	if strings.Contains(err.Error(), "gave up after") {
		t.Errorf("it was tried again: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	mustUp(t, db, alone(uniqueIndex))
	if n := number(t, db, validIndexes); n != 1 {
		t.Errorf("%d valid indexes", n)
	}
}

// Any other statement that waits outside of a transaction gives way as one inside
// does, and is tried again.
func TestOtherStatementOutsideOfATransaction(t *testing.T) {
	db, url := postgres(t)
	hold(t, url)
	_, err := dbtest.Migrations(t, alone("ALTER TABLE tasks ADD COLUMN extra text")).Up(t.Context(), db, seen)
	fails(t, err, "gave up after 2 tries", "canceling statement due to lock timeout", "it waited for AccessExclusiveLock on tasks")
}

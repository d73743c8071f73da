package database_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
)

const byName = `SELECT * FROM "things" WHERE "name" = $1`

// single is a database with the table things, a pool of one connection that keeps
// so many prepared statements, and a proxy that counts.
func single(t *testing.T, keep int) broken {
	t.Helper()
	url := dbtest.URL(t, dialect.Postgres)
	b := broken{direct: dbtest.OpenURL(t, url), Proxy: dbtest.NewProxy(t, url)}
	run(t, b.direct, things)
	db, err := database.Open(b.URL(), database.Options{MaxConns: 1, StatementCache: keep})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.db = db
	return b
}

// tripsOf counts the round trips of f.
func (b broken) tripsOf(t *testing.T, f func() error) int64 {
	t.Helper()
	before := b.Writes()
	if err := f(); err != nil {
		t.Error(err)
	}
	return b.Writes() - before
}

// names are those of the statements that the session has prepared.
func (b broken) names(t *testing.T) []string {
	t.Helper()
	names, err := query(t.Context(), b.db.Driver(), "SELECT name FROM pg_prepared_statements ORDER BY name")
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// read runs a query by name and returns its columns.
func read(ctx context.Context, db dialect.ExecQuerier, args ...any) ([]string, error) {
	rows := &entsql.Rows{}
	if err := db.Query(ctx, byName, args, rows); err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	return columns, errors.Join(err, rows.Err())
}

// A statement is prepared at its second use, in a round trip of its own; without a
// cache never.
func TestStatementIsOneRoundTrip(t *testing.T) {
	t.Parallel()
	for keep, want := range map[int][]int64{0: {1, 1, 1, 1}, 100: {1, 2, 1, 1}} {
		b := single(t, keep)
		var writes, reads, inTx []int64
		for range want {
			writes = append(writes, b.tripsOf(t, func() error {
				_, err := exec(t.Context(), b.db, insertThing, uuid.New(), uuid.NewString())
				return err
			}))
			reads = append(reads, b.tripsOf(t, func() error {
				_, err := read(t.Context(), b.db.Driver(), "new")
				return err
			}))
			inTx = append(inTx, b.tripsOf(t, func() error {
				tx, err := b.db.Driver().Tx(t.Context())
				if err != nil {
					return err
				}
				_, err = query(t.Context(), tx, `SELECT "id" FROM "things" WHERE "name" = $1`, "new")
				return errors.Join(err, tx.Commit())
			})-2)
		}
		for what, got := range map[string][]int64{"writes": writes, "reads": reads, "reads in a transaction": inTx} {
			if !slices.Equal(got, want) {
				t.Errorf("keeping %d: %s took %d round trips, want %d", keep, what, got, want)
			}
		}
		if n := len(b.names(t)); n != min(keep, 3) {
			t.Errorf("keeping %d: %d are prepared", keep, n)
		}
	}
}

// However many texts there are, few are kept, and none costs more than one round
// trip beside its own. That of giving one back is two writes.
func TestPreparedStatementsAreFew(t *testing.T) {
	t.Parallel()
	b := single(t, 3)
	for range 4 {
		for i := range 5 {
			for range 3 {
				if n := b.tripsOf(t, func() error {
					_, err := query(t.Context(), b.db.Driver(), fmt.Sprintf(`SELECT "id" FROM "things" WHERE "name" = $1 LIMIT %d`, i), "new")
					return err
				}); n > 3 {
					t.Errorf("%d writes", n)
				}
			}
		}
		if n := len(b.names(t)); n < 2 || n > 3 {
			t.Errorf("%d are prepared", n)
		}
	}
}

// A prepared statement that no longer fits the schema is prepared again.
func TestSchemaChangesUnderPreparedStatements(t *testing.T) {
	t.Parallel()
	b := single(t, 100)
	use := func(name string) {
		t.Helper()
		for range 3 {
			if columns, err := read(t.Context(), b.db.Driver(), "1"); err != nil || !slices.Contains(columns, name) {
				t.Errorf("%s, %v; want %s among them", columns, err, name)
			}
		}
	}
	use("parent")
	run(t, b.direct, `ALTER TABLE things ADD COLUMN further bigint`) // 0A000
	use("further")
	run(t, b.direct, `ALTER TABLE things ALTER COLUMN name TYPE bigint USING 1`) // 42883
	use("name")

	run(t, b.direct, `ALTER TABLE things ADD COLUMN yet_another bigint`)
	tx, err := b.db.Driver().Tx(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read(t.Context(), tx, "1"); err == nil || !strings.Contains(err.Error(), "cached plan must not change result type") {
		t.Errorf("in a transaction: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	use("yet_another")
	if n := len(b.names(t)); n != 1 {
		t.Errorf("%d are prepared", n)
	}
}

// Statements that are gone belong to a session that others have, too.
func TestPreparedStatementsVanish(t *testing.T) {
	t.Parallel()
	b := single(t, 100)
	for range 3 {
		if _, err := read(t.Context(), b.db.Driver(), "new"); err != nil {
			t.Fatal(err)
		}
	}
	run(t, b.db, "DEALLOCATE ALL")
	for _, want := range []int64{2, 1, 1} {
		if n := b.tripsOf(t, func() error {
			_, err := read(t.Context(), b.db.Driver(), "new")
			return err
		}); n != want {
			t.Errorf("%d round trips, want %d", n, want)
		}
	}
	if n := len(b.names(t)); n != 0 {
		t.Errorf("%d are prepared", n)
	}
}

// No two sessions have a statement of one name: behind a pooler one would run the
// other's.
func TestStatementNamesAreUnique(t *testing.T) {
	t.Parallel()
	var names []string
	for range 3 {
		b := single(t, 100)
		for range 2 {
			if _, err := read(t.Context(), b.db.Driver(), "new"); err != nil {
				t.Fatal(err)
			}
		}
		names = append(names, b.names(t)...)
	}
	if slices.Sort(names); len(slices.Compact(names)) != 3 || len(names[0]) < 10 {
		t.Errorf("the names are %q", names)
	}
}

// In a transaction rows are read to their end before the next statement.
func TestStatementAmongRows(t *testing.T) {
	t.Parallel()
	b := single(t, 100)
	for i := range 3 {
		run(t, b.db, insertThing, uuid.New(), fmt.Sprint(i))
	}
	for range 4 { // as it is, at preparing, prepared
		tx, err := b.db.SQL().BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := tx.QueryContext(t.Context(), `SELECT "name" FROM "things" WHERE "name" <> $1`, "")
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for rows.Next() {
			if _, err := tx.ExecContext(t.Context(), insertThing, uuid.New(), uuid.NewString()); err == nil {
				t.Error("a statement was sent among the rows of another")
			}
			n++
		}
		if err := rows.Err(); err != nil || n != 3 {
			t.Errorf("%d rows, %v", n, err)
		}
		if _, err := tx.ExecContext(t.Context(), insertThing, uuid.New(), uuid.NewString()); err != nil {
			t.Error(err)
		}
		if err := tx.Rollback(); err != nil {
			t.Error(err)
		}
	}
}

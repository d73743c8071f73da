package migrate_test

import (
	"errors"
	"slices"
	"testing"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate"
)

// What a later version of the program brings.
var (
	addTable  = map[string]string{"20270101000000_add_table.sql": "CREATE TABLE later (id integer);"}
	dropPhone = map[string]string{
		"20270101000000_add_table.sql":  addTable["20270101000000_add_table.sql"],
		"20270102000000_drop_phone.sql": "ALTER TABLE contacts DROP COLUMN phone;",
		"20270103000000_more.sql":       "CREATE TABLE more (id integer);",
	}
	allowed = map[string]string{"20270102000000_drop_phone.sql": "-- records: allow destroys, breaks: no released version uses it\nALTER TABLE contacts DROP COLUMN phone;\n"}
	puzzle  = map[string]string{"20270102000000_puzzle.sql": "WITH w AS (SELECT 1) INSERT INTO workspaces SELECT * FROM workspaces WHERE false;"}
)

func standing(t *testing.T, db *database.DB, source *migrate.Source) migrate.Standing {
	t.Helper()
	s, err := source.Compare(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// An older program serves a newer schema that does not break it, says so, and
// changes nothing.
func TestNewerAndServed(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		mustUp(t, db, addTable)
		s := standing(t, db, migrate.Embedded)
		if s.Err() != nil || len(s.Pending) != 0 || !slices.Equal(s.Newer, []string{"20270101000000_add_table.sql"}) {
			t.Errorf("it stands %+v", s)
		}
		if applied, err := migrate.Up(t.Context(), db); err != nil || len(applied) != 0 {
			t.Errorf("applied %v, %v", applied, err)
		}
		states, err := migrate.Embedded.Status(t.Context(), db)
		if last := states[len(states)-1]; err != nil || last != (migrate.State{Name: "20270101000000_add_table.sql", Applied: true, Newer: true}) {
			t.Errorf("the last is %+v, %v", last, err)
		}
	})
}

// An older program refuses a schema that breaks it, whatever came before and after
// it; one that knows it does not.
func TestNewerAndRefused(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		mustUp(t, db, dropPhone)
		s := standing(t, db, migrate.Embedded)
		const want = "the database was migrated by a newer version of records, to 20270102000000_drop_phone, which this one cannot serve: start the newer version"
		if s.Err() == nil || s.Err().Error() != want {
			t.Errorf("%v; want %s", s.Err(), want)
		}
		applied, err := migrate.Up(t.Context(), db)
		if newer, ok := errors.AsType[*migrate.NewerError](err); !ok || newer.Migration != "20270102000000_drop_phone" || len(applied) != 0 {
			t.Errorf("applied %v, %v", applied, err)
		}
		older := map[string]string{"20270101000000_add_table.sql": dropPhone["20270101000000_add_table.sql"]}
		if err := standing(t, db, dbtest.Migrations(t, older)).Err(); err == nil || err.Error() != want {
			t.Errorf("one that knows the first: %v", err)
		}
		knows := map[string]string{}
		for _, name := range []string{"20270101000000_add_table.sql", "20270102000000_drop_phone.sql"} {
			knows[name] = dropPhone[name]
		}
		if s := standing(t, db, dbtest.Migrations(t, knows)); s.Err() != nil || len(s.Newer) != 1 {
			t.Errorf("one that knows it stands %+v", s)
		}
	})
}

// On an empty database the table is created in the same step, which lint calls
// harmless; an older program that comes later would miss the column all the same.
func TestBreakingFromTheStart(t *testing.T) {
	eachEmpty(t, func(t *testing.T, _, url string) {
		db := dbtest.OpenURL(t, url)
		mustUp(t, db, dropPhone)
		if standing(t, db, migrate.Embedded).Err() == nil {
			t.Error("the older program would serve it")
		}
	})
}

// What a comment allows does not shut out older programs; what lint does not
// understand does.
func TestAllowedAndNotUnderstood(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		mustUp(t, db, allowed)
		if err := standing(t, db, migrate.Embedded).Err(); err != nil {
			t.Error(err)
		}
		with := map[string]string{"20270103000000_puzzle.sql": puzzle["20270102000000_puzzle.sql"]}
		for name, text := range allowed {
			with[name] = text
		}
		mustUp(t, db, with)
		if err := standing(t, db, migrate.Embedded).Err(); err == nil {
			t.Error("the older program would serve what nobody has understood")
		}
	})
}

// A comment that says so lets lint pass, and shuts out older programs all the same.
func TestShutOutKnowingly(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		const why = "-- records: allow destroys: nobody has used it\n-- records: shuts out older programs: all are stopped\n"
		mustUp(t, db, map[string]string{"20270102000000_drop_phone.sql": why + "ALTER TABLE contacts DROP COLUMN phone;\n"})
		if s := standing(t, db, migrate.Embedded); s.Breaking != "20270102000000_drop_phone" {
			t.Errorf("the older program stands %+v", s)
		}
	})
}

// A database that an earlier version of records has migrated has no history.
func TestWithoutHistory(t *testing.T) {
	each(t, func(t *testing.T, db *database.DB) {
		execute(t, db, "DROP TABLE schema_history")
		execute(t, db, "INSERT INTO schema_migrations (version_id, is_applied) VALUES (20261231000000, true)")
		s := standing(t, db, migrate.Embedded)
		if s.Err() != nil || len(s.Pending) != 0 || !slices.Equal(s.Newer, []string{"20261231000000.sql"}) {
			t.Errorf("it stands %+v", s)
		}
		execute(t, db, "DELETE FROM schema_migrations WHERE version_id = 20261231000000")
		mustUp(t, db, addTable)
		if n := number(t, db, "SELECT count(*) FROM schema_history"); n != 1 {
			t.Errorf("%d rows of history", n)
		}
		if err := standing(t, db, migrate.Embedded).Err(); err != nil {
			t.Error(err)
		}
	})
}

// Lint takes what the database lacks, or all, or what is newer than a version.
func TestLint(t *testing.T) {
	eachEmpty(t, func(t *testing.T, _, url string) {
		db, source := dbtest.OpenURL(t, url), dbtest.Migrations(t, dropPhone)
		findings := func() int {
			t.Helper()
			all, err := source.Lint(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			return len(all)
		}
		if n := findings(); n != 0 {
			t.Errorf("%d findings on an empty database", n)
		}
		mustUp(t, db, nil)
		if n := findings(); n < 2 {
			t.Errorf("%d findings on an older one", n)
		}
		mustUp(t, db, dropPhone)
		if n := findings(); n != 0 {
			t.Errorf("%d findings where nothing is pending", n)
		}
	})
}

func TestLintWithoutADatabase(t *testing.T) {
	t.Parallel()
	source := dbtest.Migrations(t, dropPhone)
	all, err := source.LintAll()
	since, err2 := source.LintSince(20261121073704)
	last, err3 := source.LintSince(20270102000000)
	if err := errors.Join(err, err2, err3); err != nil {
		t.Fatal(err)
	}
	if len(all) != 5 || !slices.Equal(all, since) || len(last) != 0 {
		t.Errorf("all %+v, since %+v, last %+v", all, since, last)
	}
	if all[0].Dialect != "sqlite" || all[4].Dialect != "postgres" {
		t.Errorf("all %+v", all)
	}
	if from, err := source.LintSince(0); err != nil || len(from) != 0 {
		t.Errorf("from nothing %+v, %v", from, err)
	}
}

package migrate_test

import (
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/viewer"
)

// fill makes a workspace of demo records.
func fill(t *testing.T, db *database.DB) {
	t.Helper()
	client := ent.NewClient(ent.Driver(db.Driver()))
	w, err := client.Workspace.Create().SetName("Demo").Save(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := load.Demo(viewer.NewContext(t.Context(), viewer.Viewer{Workspace: w.ID, Scope: viewer.Write}), client); err != nil {
		t.Fatal(err)
	}
}

// rebuild copies a table as Atlas does it, with more columns behind its own.
func rebuild(t *testing.T, db *database.DB, table, more string) string {
	t.Helper()
	create := "CREATE TABLE `new_" + table + "`" + written(t, db, table)[len("CREATE TABLE `"+table+"`"):] // whatever the quotes are
	create = strings.Replace(create, ", PRIMARY KEY", more+", PRIMARY KEY", 1)
	columns := read(t, db, "SELECT group_concat('`' || name || '`') FROM pragma_table_info('"+table+"')")
	return fmt.Sprintf("%[1]s;\nINSERT INTO `new_%[2]s` (%[3]s) SELECT %[3]s FROM `%[2]s`;\nDROP TABLE `%[2]s`;\nALTER TABLE `new_%[2]s` RENAME TO `%[2]s`;\n", create, table, columns)
}

// written is the statement that made a table, an index or a trigger.
func written(t *testing.T, db *database.DB, name string) string {
	t.Helper()
	return read(t, db, "SELECT sql FROM sqlite_master WHERE name = '"+name+"'")
}

func read(t *testing.T, db *database.DB, query string) (text string) {
	t.Helper()
	if err := db.SQL().QueryRowContext(t.Context(), query).Scan(&text); err != nil {
		t.Fatal(err)
	}
	return text
}

// A table is rebuilt under the foreign keys of others, while every other
// connection enforces them; triggers that name it stay as they are.
func TestRebuild(t *testing.T) {
	t.Parallel()
	db := dbtest.OpenURL(t, dbtest.EmptyURL(t, dialect.SQLite))
	mustUp(t, db, nil)
	fill(t, db)
	rows, references := number(t, db, "SELECT count(*) FROM companies"), number(t, db, "SELECT count(*) FROM contacts WHERE company_id IS NOT NULL")
	companies := "PRAGMA foreign_keys = off;\n" + rebuild(t, db, "companies", ", `more` text NULL") + "PRAGMA foreign_keys = on;\n" +
		"-- +goose StatementBegin\n" + written(t, db, "companies_clear_references") + ";\n-- +goose StatementEnd\n"
	mustUp(t, db, map[string]string{"20270101000000_rebuild.sql": companies, "20270102000000_rebuild.sql": rebuild(t, db, "contacts", "")})
	if n := number(t, db, "SELECT count(*) FROM companies WHERE more IS NULL"); n != rows || n == 0 {
		t.Errorf("%d of %d companies are left", n, rows)
	}
	if n := number(t, db, "SELECT count(*) FROM contacts WHERE company_id IS NOT NULL"); n != references || n == 0 {
		t.Errorf("%d of %d references are left", n, references)
	}
	if _, err := db.SQL().Exec("UPDATE contacts SET company_id = '0190163d-8694-739b-aea5-966c26f8ad90'"); !database.IsForeignKeyViolation(err) {
		t.Errorf("a reference to nothing: %v", err)
	}
	execute(t, db, "DELETE FROM companies")
	if n := number(t, db, "SELECT count(*) FROM contacts WHERE company_id IS NOT NULL"); n != 0 {
		t.Errorf("%d contacts still refer to companies", n)
	}
}

// A migration that leaves a reference to nothing is undone.
func TestBrokenReferences(t *testing.T) {
	t.Parallel()
	db := dbtest.OpenURL(t, dbtest.EmptyURL(t, dialect.SQLite))
	mustUp(t, db, nil)
	fill(t, db)
	rows := number(t, db, "SELECT count(*) FROM companies")
	_, err := up(t, db, map[string]string{"20270101000000_lose.sql": "DROP TRIGGER companies_clear_references; DELETE FROM companies;"})
	fails(t, err, "20270101000000_lose.sql: the foreign keys do not hold afterwards: ", "rows of contacts refer by company_id to rows of companies that would not be there", "Nothing of this migration was kept")
	if n := number(t, db, "SELECT count(*) FROM companies"); n != rows {
		t.Errorf("%d of %d companies are left", n, rows)
	}
	if n := number(t, db, "SELECT count(*) FROM sqlite_master WHERE name = 'companies_clear_references'"); n != 1 {
		t.Error("the trigger is gone")
	}
}

// A table that is renamed for good takes what names it along.
func TestRename(t *testing.T) {
	t.Parallel()
	db := dbtest.OpenURL(t, dbtest.EmptyURL(t, dialect.SQLite))
	mustUp(t, db, nil)
	fill(t, db)
	mustUp(t, db, map[string]string{"20270101000000_rename.sql": "ALTER TABLE contacts RENAME TO people;"})
	execute(t, db, "DELETE FROM companies") // its trigger clears the references of people
	if n := number(t, db, "SELECT count(*) FROM sqlite_master WHERE sql LIKE '%contacts`%'"); n != 0 {
		t.Errorf("%d still name contacts", n)
	}
}

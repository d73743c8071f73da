package migrate_test

import (
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

// rebuildCompanies copies a table that others refer to, as Atlas does it, and adds
// a column. Its own trigger is lost with it and written again.
const rebuildCompanies = "PRAGMA foreign_keys = off;\n" +
	"CREATE TABLE `new_companies` (`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `name` text NOT NULL, `domain` text NULL, `industry` text NULL, `email` text NULL, `phone` text NULL, `website` text NULL, `address` text NULL, `owner_id` uuid NULL, `more` text NULL, PRIMARY KEY (`workspace_id`, `id`), CONSTRAINT `companies_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION);\n" +
	"INSERT INTO `new_companies` (`workspace_id`, `id`, `created_at`, `updated_at`, `name`, `domain`, `industry`, `email`, `phone`, `website`, `address`, `owner_id`) SELECT `workspace_id`, `id`, `created_at`, `updated_at`, `name`, `domain`, `industry`, `email`, `phone`, `website`, `address`, `owner_id` FROM `companies`;\n" +
	"DROP TABLE `companies`;\nALTER TABLE `new_companies` RENAME TO `companies`;\nPRAGMA foreign_keys = on;\n" +
	"-- +goose StatementBegin\nCREATE TRIGGER `companies_clear_references` BEFORE DELETE ON `companies` FOR EACH ROW BEGIN\n  UPDATE `contacts` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;\n  UPDATE `deals` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;\n  UPDATE `invoices` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;\n  UPDATE `projects` SET `company_id` = NULL WHERE `workspace_id` = OLD.`workspace_id` AND `company_id` = OLD.`id`;\nEND;\n-- +goose StatementEnd\n"

// rebuildContacts copies a table that the triggers of others name.
const rebuildContacts = "CREATE TABLE `new_contacts` (`workspace_id` uuid NOT NULL, `id` uuid NOT NULL, `created_at` datetime NOT NULL, `updated_at` datetime NOT NULL, `name` text NOT NULL, `email` text NULL, `phone` text NULL, `owner_id` uuid NULL, `company_id` uuid NULL, PRIMARY KEY (`workspace_id`, `id`), CONSTRAINT `contacts_workspaces_workspace` FOREIGN KEY (`workspace_id`) REFERENCES `workspaces` (`id`) ON DELETE NO ACTION, CONSTRAINT `contacts_companies_company` FOREIGN KEY (`workspace_id`, `company_id`) REFERENCES `companies` (`workspace_id`, `id`) ON DELETE NO ACTION);\n" +
	"INSERT INTO `new_contacts` SELECT * FROM `contacts`;\nDROP TABLE `contacts`;\nALTER TABLE `new_contacts` RENAME TO `contacts`;\n"

// A table is rebuilt under the foreign keys of others, while every other
// connection enforces them; triggers that name it stay as they are.
func TestRebuild(t *testing.T) {
	t.Parallel()
	db := dbtest.OpenURL(t, dbtest.EmptyURL(t, dialect.SQLite))
	mustUp(t, db, nil)
	fill(t, db)
	rows, references := number(t, db, "SELECT count(*) FROM companies"), number(t, db, "SELECT count(*) FROM contacts WHERE company_id IS NOT NULL")
	mustUp(t, db, map[string]string{"20270101000000_rebuild.sql": rebuildCompanies, "20270102000000_rebuild.sql": rebuildContacts})
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
	fails(t, err, "20270101000000_lose.sql: the foreign keys do not hold afterwards: ", "rows of contacts refer to rows of companies that would not be there", "Nothing of this migration was kept")
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

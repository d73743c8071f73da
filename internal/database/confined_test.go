package database_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/rowsecurity"
	"records/internal/viewer"
)

// confinedTo opens a URL over one connection, which all statements share.
func confinedTo(t *testing.T, url string) *database.DB {
	t.Helper()
	db, err := database.Open(url, database.Options{MaxConns: 1, StatementCache: 100, Confined: rowsecurity.Tables()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func in(ctx context.Context, workspace uuid.UUID) context.Context {
	return viewer.NewContext(ctx, viewer.Viewer{Workspace: workspace})
}

// asked is a text with an argument, so that it is prepared.
const asked = "SELECT coalesce(current_setting('records.workspace', true), 'unset') WHERE $1 = 'asked'"

// isIn fails unless the session that answers is confined to the workspace of ctx.
func isIn(t *testing.T, ctx context.Context, db dialect.ExecQuerier, what string) {
	t.Helper()
	want := ""
	if v, ok := viewer.FromContext(ctx); ok {
		want = v.Workspace.String()
	}
	for range 3 { // as it is, prepared, and kept
		if got, err := query(ctx, db, asked, "asked"); err != nil || len(got) != 1 || got[0] != want {
			t.Errorf("%s: the session is in %q, want %q; %v", what, got, want, err)
		}
	}
}

// Whatever happened on a connection before, a statement finds it confined to the
// workspace of its own context, and to none where there is no viewer.
func TestSessionIsConfined(t *testing.T) {
	t.Parallel()
	_, url := dbtest.ConfinedURLs(t)
	db := confinedTo(t, url)
	none, a, b := t.Context(), in(t.Context(), uuid.New()), in(t.Context(), uuid.New())
	isIn(t, none, db.Driver(), "at first")
	isIn(t, a, db.Driver(), "the first workspace")
	isIn(t, b, db.Driver(), "another one")
	isIn(t, none, db.Driver(), "nobody, after somebody")

	for name, end := range map[string]func(dialect.Tx) error{"commit": dialect.Tx.Commit, "rollback": dialect.Tx.Rollback} {
		tx, err := begin(a, db, nil)
		if err != nil {
			t.Fatal(err)
		}
		isIn(t, a, tx, "in a transaction")
		isIn(t, b, tx, "another one in the transaction")
		if err := end(tx); err != nil {
			t.Fatal(err)
		}
		isIn(t, b, db.Driver(), "the last of the transaction, after its "+name)
		isIn(t, a, db.Driver(), "the first of it, after its "+name)
	}

	tx, err := begin(none, db, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		ctx  context.Context
		text string
	}{{a, "SAVEPOINT before"}, {b, "SELECT 1"}, {b, "ROLLBACK TO SAVEPOINT before"}} {
		if err := tx.Exec(step.ctx, step.text, []any{}, nil); err != nil {
			t.Fatal(err)
		}
	}
	isIn(t, b, tx, "after the rollback to a savepoint")
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}

	isIn(t, a, db.Driver(), "somebody")
	run(t, db, "SET records.workspace = ''; SELECT 1")
	isIn(t, a, db.Driver(), "after a script that sets it")
	if _, err := query(b, db.Driver(), "SELECT 1/0 WHERE $1 = 'asked'", "asked"); err == nil {
		t.Error("1/0 is something")
	}
	isIn(t, a, db.Driver(), "after an error of another")
	gone, cancel := context.WithCancel(b)
	cancel()
	if _, err := query(gone, db.Driver(), asked, "asked"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	isIn(t, none, db.Driver(), "nobody, after one who has gone")
}

// A connection on which row-level security would not hold is refused, and says what
// to do.
func TestNotConfined(t *testing.T) {
	t.Parallel()
	owner, role := dbtest.ConfinedURLs(t)
	isRefused := func(url, part string) {
		t.Helper()
		err := confinedTo(t, url).Ping(t.Context())
		if !errors.Is(err, database.ErrNotConfined) || !database.IsUnavailable(err) || !strings.Contains(err.Error(), part) {
			t.Errorf("%v, want one with %q", err, part)
		}
	}
	if err := confinedTo(t, role).Ping(t.Context()); err != nil {
		t.Error(err)
	}
	isRefused(owner, "is not confined to a workspace in "+strings.Join(rowsecurity.Tables(), ", ")+":")
	isRefused(dbtest.PgBouncer(t, role, "transaction"), "behind a pooler")
	isRefused(dbtest.PgBouncer(t, role, "session"), "behind a pooler")
	whole := dbtest.OpenURL(t, owner)
	for _, harm := range []string{
		"ALTER TABLE tasks DISABLE ROW LEVEL SECURITY",
		"DROP POLICY records_workspace ON deals",
		"ALTER POLICY records_workspace ON companies TO CURRENT_USER",
		"DROP POLICY records_workspace ON contacts; CREATE POLICY records_workspace ON contacts USING (true)",
		"DROP POLICY records_workspace ON invoices; CREATE POLICY records_workspace ON invoices AS RESTRICTIVE FOR SELECT USING (true)",
	} {
		run(t, whole, harm)
	}
	isRefused(role, "in companies, contacts, deals, invoices, tasks:")
	if _, err := database.Open("sqlite:"+t.TempDir()+"/a.db", database.Options{Confined: rowsecurity.Tables()}); !errors.Is(err, database.ErrNoRowSecurity) {
		t.Errorf("SQLite: %v", err)
	}
}

package diff_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
	"records/migrate/diff"
)

// each runs f on both dialects, with an empty database and a copy of the
// folder of the migrations.
func each(t *testing.T, f func(t *testing.T, dev *database.DB, folder string)) {
	t.Helper()
	t.Parallel()
	for _, d := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(d, func(t *testing.T) {
			t.Parallel()
			f(t, dbtest.OpenURL(t, dbtest.EmptyURL(t, d)), folderOf(t, d))
		})
	}
}

// folderOf returns a copy of the folder of a dialect's migrations.
func folderOf(t *testing.T, d string) string {
	t.Helper()
	source := map[string]string{dialect.SQLite: "../sqlite", dialect.Postgres: "../postgres"}[d]
	folder := filepath.Join(t.TempDir(), "migrations")
	if err := os.CopyFS(folder, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	return folder
}

func run(t *testing.T, db *database.DB, query string) {
	t.Helper()
	if _, err := db.SQL().Exec(query); err != nil {
		t.Error(err)
	}
}

// write returns the text of the migrations that are missing, "" for none.
func write(t *testing.T, dev *database.DB, folder string) string {
	t.Helper()
	declaration, err := diff.Declared()
	if err != nil {
		t.Fatal(err)
	}
	reports, err := diff.Write(t.Context(), request(declaration, "because"), diff.Target{Dev: dev, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	if (len(reports[0].Changes) > 0) != (len(reports[0].Files) > 0) {
		t.Errorf("it says %q, and wrote %q", reports[0].Changes, reports[0].Files)
	}
	return textOf(t, reports[0].Files)
}

// request is one for what the declaration lacks.
func request(d diff.Declaration, reason string) diff.Request {
	return diff.Request{Version: time.Date(2099, 1, 1, 0, 0, 0, 0, time.UTC), Name: "missing", Reason: reason, Declaration: d}
}

func textOf(t *testing.T, files []string) string {
	t.Helper()
	var all strings.Builder
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	return all.String()
}

// edit replaces text in the migrations, where it must stand, and renews their
// checksum.
func edit(t *testing.T, folder, old, by string) {
	t.Helper()
	if !replace(t, folder, old, by) {
		t.Fatalf("no migration holds %q", old)
	}
}

// replace replaces text in the migrations, if it stands there.
func replace(t *testing.T, folder, old, by string) (found bool) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(folder, "*.sql"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found = found || strings.Contains(string(text), old)
		if err := os.WriteFile(name, []byte(strings.ReplaceAll(string(text), old, by)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := diff.Sum(folder); err != nil {
		t.Fatal(err)
	}
	return found
}

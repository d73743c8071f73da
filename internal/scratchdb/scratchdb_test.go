package scratchdb_test

import (
	"os"
	"strings"
	"testing"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/scratchdb"
)

// What is made is empty and of its own, and is gone afterwards.
func TestOpen(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for _, d := range []string{"postgres", "sqlite"} {
		db, drop, err := scratchdb.Open(t.Context(), d, "make test")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.SQL().Exec("CREATE TABLE tasks (id integer)"); err != nil {
			t.Errorf("%s: %v", d, err)
		}
		if err := drop(); err != nil {
			t.Errorf("%s: %v", d, err)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
	address, drop, err := scratchdb.Postgres(t.Context(), "make test")
	if err != nil {
		t.Fatal(err)
	}
	dbtest.OpenURL(t, address)
	if err := drop(); err != nil {
		t.Error(err)
	}
	db, err := database.Open(address, database.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "does not exist") {
		t.Errorf("it is still there: %v", err)
	}
}

// Who has no server reads what starts one.
func TestWithoutAServer(t *testing.T) {
	for server, want := range map[string]string{
		"":             "TEST_POSTGRES_URL is not the URL of a PostgreSQL: run `make migration`, which starts one",
		"sqlite:x.db":  "TEST_POSTGRES_URL must begin with postgres://",
		"postgres://%": "TEST_POSTGRES_URL is not the URL of a PostgreSQL: run `make migration`, which starts one",
	} {
		t.Setenv("TEST_POSTGRES_URL", server)
		if _, _, err := scratchdb.Open(t.Context(), "postgres", "make migration"); err == nil || err.Error() != want {
			t.Errorf("%q: %v; want %s", server, err, want)
		}
	}
}

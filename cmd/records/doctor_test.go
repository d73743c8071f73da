package main_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// The doctor finds a wrong count, says what to do, and mends it when asked to; its
// exit code tells.
func TestDoctor(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]func(t *testing.T) string{
		"sqlite":   func(t *testing.T) string { return dbtest.URL(t, dialect.SQLite) },
		"postgres": func(t *testing.T) string { return dbtest.NewCluster(t).URL }, // the shared one is not healthy
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := url(t)
			p := newProgram(t, url)
			p.ok("migrate", "up")
			p.ok("seed")
			if said := p.ok("doctor"); said != "Nothing is wrong.\n" {
				t.Errorf("it says %q", said)
			}
			execute(t, dbtest.OpenURL(t, url).SQL(), "UPDATE record_counts SET n = n + 1 WHERE resource = 'deals'")
			stdout, stderr, code := p.run("doctor")
			if lines := strings.Split(stdout, "\n"); code != 1 || stderr != "records: something is wrong\n" || len(lines) != 4 ||
				!strings.HasPrefix(lines[0], "counts: Workspace ") || !strings.Contains(lines[0], " deals, and lists say ") ||
				!strings.HasPrefix(lines[1], "  Lists answer a wrong count") || !strings.HasPrefix(lines[2], "  Run `records doctor --repair`.") {
				t.Errorf("it exits with %d and says %q, %q", code, stdout, stderr)
			}
			var found struct {
				Faults []struct {
					Check, What, Why, Remedy string
					Mended                   bool
				}
			}
			p.json(&found, "doctor", "--repair")
			if len(found.Faults) != 1 || found.Faults[0].Check != "counts" || !found.Faults[0].Mended || found.Faults[0].Why == "" || !strings.Contains(found.Faults[0].What, " deals, and lists say ") {
				t.Errorf("it found %+v", found)
			}
			p.json(&found, "doctor")
			if len(found.Faults) != 0 {
				t.Errorf("afterwards it found %+v", found)
			}
		})
	}
}

// What is wrong beside the database is told as well, without a secret, and nothing is
// made or migrated.
func TestDoctorOfADeployment(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "postgres://records:s3cret@127.0.0.1:1/db?sslmode=disable")
	p.set("RATELIMIT_STORE", "redis://:s3cret@127.0.0.1:1/0")
	p.set("SERVER_MAX_WAIT", "10s")
	stdout, stderr, code := p.run("doctor")
	for _, words := range []string{"settings: server.max_wait (10s)", "redis: Redis at 127.0.0.1:1 does not answer", "database: Nothing listens"} {
		if !strings.Contains(stdout, words) {
			t.Errorf("no %q in %q", words, stdout)
		}
	}
	if code != 1 || stderr != "records: something is wrong\n" || strings.Contains(stdout, "s3cret") {
		t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
	}
	text := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(text, []byte("no database"), 0o600); err != nil {
		t.Fatal(err)
	}
	away := filepath.Join(t.TempDir(), "away.db")
	if err := os.WriteFile(away+"-wal", []byte("what was written last"), 0o600); err != nil {
		t.Fatal(err)
	}
	for url, words := range map[string]string{
		"sqlite:" + away:                                 "its log " + away + "-wal is there",
		dbtest.EmptyURL(t, dialect.SQLite):               "there is no file ",
		"sqlite:" + text:                                 " is not a SQLite database",
		"postgres://records:s3cret@h/db?sslmode=perhaps": `wrong value for \"sslmode\"`,
	} {
		unopened := newProgram(t, url)
		unopened.set("SERVER_MAX_WAIT", "10s")
		stdout, stderr, code := unopened.run("doctor", "--json")
		if code != 1 || stderr != "records: something is wrong\n" || strings.Contains(stdout, "s3cret") ||
			!strings.HasPrefix(stdout, `{"faults":[{"check":"settings"`) || !strings.Contains(stdout, `{"check":"database","what":"database.url (from RECORDS_DATABASE_URL): `) || !strings.Contains(stdout, words) {
			t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
		}
	}
	pending := newProgram(t, dbtest.EmptyURL(t, dialect.Postgres))
	if stdout, _, code := pending.run("doctor"); code != 1 || !strings.Contains(stdout, "migrations: Migrations are pending") {
		t.Errorf("exit code %d, %q", code, stdout)
	}
}

package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/ent"
	"records/internal/dbtest"
)

// An embedded database is backed up and put back; PostgreSQL is another matter, and
// the command says so before it touches anything.
func TestBackupAndRestore(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.ok("seed")
		file := filepath.Join(t.TempDir(), "backup.db")
		if strings.HasSuffix(t.Name(), "/postgres") {
			for _, args := range [][]string{{"backup", file}, {"restore", file}} {
				if _, stderr, code := p.run(args...); code != 1 || !strings.Contains(stderr, "pg_dump") || strings.Count(stderr, "\n") != 1 {
					t.Errorf("%v exits with %d and says %q", args, code, stderr)
				}
			}
			return
		}
		var wrote struct {
			File  string
			Bytes int64
		}
		p.json(&wrote, "backup", file)
		if info, err := os.Stat(file); err != nil || wrote.File != file || wrote.Bytes != info.Size() {
			t.Errorf("%+v, %v", wrote, err)
		}
		if _, stderr, code := p.run("backup", file); code != 1 || !strings.Contains(stderr, "is there already") {
			t.Errorf("over a file: %d, %q", code, stderr)
		}
		p.ok("workspace", "create", "since")
		var restored struct {
			Before      string
			CarriedOver int64 `json:"carried_over"`
		}
		p.json(&restored, "restore", file)
		if _, err := os.Stat(restored.Before); err != nil {
			t.Error(err)
		}
		if all := p.ok("workspace", "list"); strings.Contains(all, "since") || !strings.Contains(all, "Demo") {
			t.Errorf("after it there are %s", all)
		}
		if err := os.Rename(restored.Before, filepath.Join(t.TempDir(), "away")); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(strings.TrimPrefix(p.env[2], "RECORDS_DATABASE_URL=sqlite:")); err != nil {
			t.Fatal(err)
		}
		if text := p.ok("restore", file); !strings.Contains(text, "Nobody knew what was taken away since the backup") {
			t.Errorf("without a database that knows: %s", text)
		}
	})
}

// A copy by other means, whose last records are in its log, is not restored without
// them, and what the program says to do brings them all.
func TestRestoreOfACopyWithItsLog(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	p := newProgram(t, url)
	p.key("Acme", "write")
	s := p.serve()
	defer s.stop()
	p.ok("workspace", "create", "in the log")
	copied := filepath.Join(p.dir, "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(strings.TrimPrefix(url, "sqlite:") + suffix)
		if err != nil || len(content) == 0 || os.WriteFile(copied+suffix, content, 0o600) != nil {
			t.Fatalf("%q: %d bytes, %v", suffix, len(content), err)
		}
	}
	other := newProgram(t, dbtest.EmptyURL(t, dialect.SQLite))
	other.fails(copied+" was not made by `records backup`: a part of it is in its log "+copied+"-wal. Run `records backup NEW --database.url sqlite:"+copied+"`, and restore NEW", "restore", copied)
	if _, err := os.Stat(strings.TrimPrefix(other.env[2], "RECORDS_DATABASE_URL=sqlite:")); err == nil {
		t.Error("it made a database")
	}
	sound := filepath.Join(other.dir, "new.db")
	other.ok("backup", sound, "--database.url", "sqlite:"+copied)
	other.ok("restore", sound)
	if all := other.ok("workspace", "list"); !strings.Contains(all, "in the log") {
		t.Error(all)
	}
	other.failsWith("is no backup, since it is no file", "restore", other.dir)
}

// A backup that was put in place by hand gives nothing back either, once it was told
// what was taken away since.
func TestCarryOver(t *testing.T) {
	t.Parallel()
	old := dbtest.URL(t, dialect.SQLite)
	b := before(t, old)
	file := filepath.Join(t.TempDir(), "backup.db")
	newProgram(t, old).ok("backup", file)
	b.since(t)
	p := newProgram(t, "sqlite:"+file)
	var carried struct {
		CarriedOver int `json:"carried_over"`
		Revoked     int
	}
	p.json(&carried, "carry-over", "--from", old)
	if carried.CarriedOver != takenAway {
		t.Errorf("%d rows", carried.CarriedOver)
	}
	b.isTakenAway(t, "sqlite:"+file, false)
	keys := openKeys(t, ent.NewClient(ent.Driver(dbtest.OpenURL(t, "sqlite:"+file).Driver())))
	p.json(&carried, "carry-over", "--revoke-keys")
	if keys == 0 || carried.Revoked != keys {
		t.Errorf("%d keys were open, %d revoked", keys, carried.Revoked)
	}
	b.isTakenAway(t, "sqlite:"+file, true)
}

// Nothing is done in doubt.
func TestCarryOverFaults(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		before := p.key("Acme", "read")
		p.failsWith("say which database knows", "carry-over")
		p.failsWith("none of the others can be", "carry-over", "--revoke-keys", "--from", "sqlite:x.db")
		p.failsWith("--from: cannot open the database: there is no file", "carry-over", "--from", "sqlite:none.db")
		p.failsWith("--from: the database URL", "carry-over", "--from", "mysql://h/db")
		p.failsWith("cannot connect", "carry-over", "--from", "postgres://u:s3cret@127.0.0.1:1/db?sslmode=disable")
		for _, other := range []string{dialect.SQLite, dialect.Postgres} { // one in which other things were done
			p.failsWith("wrong way round", "carry-over", "--from", dbtest.URL(t, other))
		}
		if list := p.ok("key", "list", "--workspace", "Acme"); !strings.Contains(list, before.ID) || !strings.Contains(list, "  no  ") {
			t.Errorf("the key is no longer as it was: %s", list)
		}
	})
}

// A database that knows less than the restored one is not taken for the one that was in
// use, though nothing is written down of what was done there.
func TestCarryOverFromOneThatKnowsLess(t *testing.T) {
	t.Parallel()
	for _, name := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, other := dbtest.URL(t, name), dbtest.URL(t, name)
			db, knows := dbtest.OpenURL(t, url).SQL(), dbtest.OpenURL(t, other).SQL()
			p := newProgram(t, url)
			k := p.key("Acme", "read")
			p.failsWith("is the restored one itself", "carry-over", "--from", url)
			workspace := dbtest.Rows(t, dbtest.OpenURL(t, url), "SELECT CAST(id AS varchar) FROM workspaces")[0][0]
			execute(t, knows, "DROP TABLE audit_events") // as in a release before it
			p.failsWith("it does not know what was last done there. Name the database that was in use", "carry-over", "--from", other)
			execute(t, db, "DELETE FROM audit_events")
			p.failsWith("2 of the workspaces and keys there it does not know", "carry-over", "--from", other)
			execute(t, knows, fmt.Sprintf("INSERT INTO workspaces (id, name, created_at) VALUES ('%s', 'Acme', '2026-01-01 00:00:00+00:00')", workspace))
			p.failsWith("1 of the workspaces and keys there it does not know, or not as revoked, such as "+k.ID, "carry-over", "--from", other)
			execute(t, knows, fmt.Sprintf("INSERT INTO api_keys (id, workspace_id, name, hash, prefix, scope, created_at) VALUES ('%s', '%s', 'a', '', '', 'read', '2026-01-01 00:00:00+00:00')", k.ID, workspace))
			p.ok("carry-over", "--from", other)
			execute(t, db, "UPDATE api_keys SET revoked_at = created_at")
			p.failsWith("or not as revoked, such as "+k.ID, "carry-over", "--from", other)
			execute(t, knows, "DROP TABLE api_keys")
			p.failsWith("it has no workspaces or no keys", "carry-over", "--from", other)
		})
	}
}

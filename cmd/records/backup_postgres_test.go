package main_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"records/internal/dbtest"
	"records/internal/servertest"
)

// commands runs what stands in docs/operations.md, to the letter.
type commands struct {
	blocks map[string]string // a block of the shell, by the comment that it begins with
	env    map[string]string
	path   string // the folders of programs, before the usual ones
}

// backupCommands reads the blocks under "Backups".
func backupCommands(t *testing.T) commands {
	t.Helper()
	text, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Backups\n")
	section, _, _ = strings.Cut(section, "\n## ")
	c := commands{map[string]string{}, map[string]string{}, os.Getenv("TEST_POSTGRES_BIN") + ":" + filepath.Dir(binary)}
	for i, part := range strings.Split(section, "```") {
		if block, ok := strings.CutPrefix(part, "sh\n"); ok && i%2 == 1 {
			title, _, _ := strings.Cut(block, "\n")
			c.blocks[title] = block
		}
	}
	return c
}

// script is a block with what its variables stand for.
func (c commands) script(t *testing.T, title string) string {
	t.Helper()
	block, ok := c.blocks["# "+title]
	if !ok {
		t.Fatalf("docs/operations.md has no block %q", title)
	}
	var all strings.Builder
	for name, value := range c.env {
		fmt.Fprintf(&all, "export %s='%s'\n", name, value)
	}
	return all.String() + "export PATH='" + c.path + "':\"$PATH\"\n" + block
}

// run runs a block, and returns what it prints.
func (c commands) run(t *testing.T, title string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", c.script(t, title))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	return output(t, title, cmd)
}

func output(t *testing.T, title string, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", title, err, out)
	}
	return string(out)
}

// as runs a block as the owner of a cluster's files.
func (c commands) as(t *testing.T, owner *dbtest.Cluster, title string) {
	t.Helper()
	cmd, err := owner.Shell(t.Context(), c.script(t, title))
	if err != nil {
		t.Fatal(err)
	}
	output(t, title, cmd)
}

// database is the URL of another one on a cluster.
func databaseOn(c *dbtest.Cluster, name string) string {
	return strings.Replace(c.URL, "/postgres?", "/"+name+"?", 1)
}

// The documented dump holds every table as it was at one moment, though servers write;
// restored by the documented commands it gives nothing back that was taken away since.
func TestDocumentedDump(t *testing.T) {
	t.Parallel()
	c := dbtest.NewCluster(t)
	docs := backupCommands(t)
	folder := t.TempDir()
	for name, value := range map[string]string{
		"OLD": c.URL, "NEW": databaseOn(c, "restored"), "THEN": databaseOn(c, "told"),
		"DUMP": filepath.Join(folder, "dump"), "KEYS": filepath.Join(folder, "keys"),
	} {
		docs.env[name] = value
	}
	b := before(t, c.URL)
	stop := write(t, b.s)
	wrote := docs.dumpAt(t, b, "Back up, while the servers go on.")
	stop()
	b.since(t)
	docs.run(t, "Back up what tells which keys are revoked, often, to another place.")

	docs.run(t, "Restore into a new database.")
	same(t, wrote, read(t, docs.env["NEW"]))
	p := newProgram(t, docs.env["NEW"])
	p.failsWith("wrong way round", "carry-over", "--from", docs.env["NEW"], "--database.url", docs.env["OLD"])
	if said := docs.run(t, "Take away again what was taken away since the backup."); said != fmt.Sprintf("Took away what was taken away since the backup, from %d rows. Nobody is signed in any more.\nNothing is wrong.\n", takenAway) {
		t.Errorf("it says %q", said)
	}
	if said := p.ok("carry-over", "--from", docs.env["OLD"]); !strings.Contains(said, " 0 rows") {
		t.Errorf("again: %q", said)
	}
	b.isTakenAway(t, docs.env["NEW"], false)

	// The server is lost, but for the dump and the copy of what tells.
	again := dbtest.NewCluster(t)
	docs.env["OLD"], docs.env["NEW"], docs.env["THEN"] = again.URL, databaseOn(again, "restored"), databaseOn(again, "told")
	docs.run(t, "Restore into a new database.")
	if said := docs.run(t, "Take away again what that copy knows to be taken away."); !strings.Contains(said, fmt.Sprintf(" %d rows", takenAway)) {
		t.Errorf("it says %q", said)
	}
	b.isTakenAway(t, docs.env["NEW"], false)
	docs.run(t, "Revoke every key and every open invitation.")
	b.isTakenAway(t, docs.env["NEW"], true)
}

// The documented archive brings the database back to a moment, as it was then.
func TestDocumentedArchive(t *testing.T) {
	t.Parallel()
	old, recovered := dbtest.NewCluster(t), dbtest.ColdCluster(t)
	docs := backupCommands(t)
	for name, value := range map[string]string{"OLD": old.URL, "DATA": old.Data(), "ARCHIVE": old.Data() + "-archive", "BASE": recovered.Data()} {
		docs.env[name] = value
	}
	docs.blocks["# archive"] = `mkdir "$ARCHIVE"`
	docs.as(t, old, "archive")
	docs.as(t, old, "Archive every commit.")
	old.Stop(t, syscall.SIGINT)
	old.Start(t)
	b := before(t, old.URL)
	stop := write(t, b.s)
	docs.as(t, old, "Take a base backup, while the servers go on.")
	stop()
	wrote := read(t, old.URL)
	docs.env["MOMENT"] = dbtest.Rows(t, b.db, "SELECT clock_timestamp()::text")[0][0]
	b.since(t)
	archive(t, b)

	docs.as(t, old, "Recover to a moment.")
	recovered.Start(t)
	back := dbtest.OpenURL(t, recovered.URL)
	until(t, "the server still recovers", func() bool {
		return dbtest.Rows(t, back, "SELECT pg_is_in_recovery()")[0][0] == "false"
	})
	same(t, wrote, read(t, recovered.URL))
	docs.env["NEW"] = recovered.URL
	docs.run(t, "Take away again what was taken away since the backup.")
	b.isTakenAway(t, recovered.URL, false)
}

// archive waits until all that was committed is in the archive.
func archive(t *testing.T, b *backedUp) {
	t.Helper()
	file := dbtest.Rows(t, b.db, "SELECT pg_walfile_name(pg_switch_wal())")[0][0]
	until(t, file+" is not archived", func() bool {
		return dbtest.Rows(t, b.db, "SELECT coalesce(last_archived_wal, '') FROM pg_stat_archiver")[0][0] >= file
	})
}

func until(t *testing.T, otherwise string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(otherwise)
		}
	}
}

// write has clients of two workspaces write until it is stopped. Each record refers to
// one before it, so that what is no single moment does not hold together.
func write(t *testing.T, s *servertest.Server) (stop func()) {
	t.Helper()
	ended, done := make(chan struct{}), make(chan struct{}, 3)
	began := make(chan struct{}, 3)
	for range 3 {
		client := s.NewClient(t)
		go func() {
			defer func() { done <- struct{}{} }()
			for i := 0; ; i++ {
				project := client.Create("projects", map[string]any{"name": "of a writer"})
				client.Create("tasks", map[string]any{"name": strings.Repeat("long ", 50), "project_id": project})
				if i == 5 {
					began <- struct{}{}
				}
				if i%3 == 2 {
					client.Do("DELETE", "/projects/"+project, nil)
				}
				select {
				case <-ended:
					return
				default:
				}
			}
		}()
	}
	for range 3 {
		<-began
	}
	return func() {
		close(ended)
		for range 3 {
			<-done
		}
	}
}

// dumpAt runs a block in which pg_dump sees the moment that the test sees, and returns
// every table of then.
func (c commands) dumpAt(t *testing.T, b *backedUp, title string) map[string][]string {
	t.Helper()
	tx, err := b.db.SQL().BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	query := func(q string) [][]string { return inTx(t, tx, q) }
	moment := query("SELECT pg_export_snapshot()")[0][0]
	shim := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\nexec '%s/pg_dump' --snapshot=%s \"$@\"\n", os.Getenv("TEST_POSTGRES_BIN"), moment)
	if err := os.WriteFile(filepath.Join(shim, "pg_dump"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	c.path = shim + ":" + c.path
	rows := query("SELECT count(*) FROM tasks")[0][0]
	time.Sleep(100 * time.Millisecond) // the writers go on
	c.run(t, title)
	if now := dbtest.Rows(t, b.db, "SELECT count(*) FROM tasks")[0][0]; now == rows {
		t.Error("nobody has written meanwhile")
	}
	return contents(t, query)
}

func inTx(t *testing.T, tx *sql.Tx, query string) (all [][]string) {
	t.Helper()
	rows, err := tx.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, []string{text})
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// read is every table of a database that nobody writes to.
func read(t *testing.T, url string) map[string][]string {
	t.Helper()
	db := dbtest.OpenURL(t, url)
	return contents(t, func(q string) [][]string { return dbtest.Rows(t, db, q) })
}

// same compares every table.
func same(t *testing.T, want, got map[string][]string) {
	t.Helper()
	if len(want) < 15 || len(want["tasks"]) < 20 || len(want["api_keys"]) < 10 {
		t.Fatalf("only %d tables", len(want))
	}
	for table, rows := range want {
		if !reflect.DeepEqual(rows, got[table]) {
			t.Errorf("%s: %d rows, restored %d, or others", table, len(rows), len(got[table]))
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d tables, restored %d", len(want), len(got))
	}
}

package main_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// stopped runs a command until ready, and sends it SIGTERM. It must end by itself then,
// with one line.
func (p *program) stopped(stdin io.Reader, ready func() bool, args ...string) string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, args...)
	var log bytes.Buffer
	cmd.Stderr, cmd.Stdin = &log, stdin
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	for !ready() && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		p.t.Fatal(err)
	}
	err := cmd.Wait()
	exit, _ := errors.AsType[*exec.ExitError](err)
	if exit == nil || exit.ExitCode() != 1 || !strings.HasPrefix(log.String(), "records: stopped by a signal: ") || strings.Count(log.String(), "\n") != 1 {
		p.t.Errorf("records %s: %v, %q", strings.Join(args, " "), err, log.String())
	}
	return log.String()
}

// killed runs a command until ready, and kills it.
func (p *program) killed(ready func() bool, args ...string) {
	p.t.Helper()
	cmd := p.command(p.t.Context(), args...)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	until(p.t, "it has not begun", ready)
	if err := cmd.Process.Kill(); err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		p.t.Errorf("records %s has ended before", strings.Join(args, " "))
	}
}

// begun tells whether there is something in a file.
func begun(path string) func() bool {
	return func() bool {
		info, err := os.Stat(path)
		return err == nil && info.Size() > 0
	}
}

// A backup and a restore that are stopped leave nothing behind, and can be made again.
func TestBackupIsStopped(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.SQLite)
	path := strings.TrimPrefix(url, "sqlite:")
	p := newProgram(t, url)
	p.ok("seed")
	db := dbtest.OpenURL(t, url)
	const large = `CREATE TABLE large AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT i, hex(randomblob(200)) AS text FROM n`
	if _, err := db.SQL().Exec(large); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "backup.db")
	p.stopped(nil, begun(to+".part"), "backup", to)
	none(t, to+"*")
	p.killed(begun(to+".part"), "backup", to)
	p.ok("backup", to)
	none(t, to+".*")
	p.stopped(nil, begun(path+".restoring"), "restore", to)
	none(t, path+".restoring*")
	none(t, path+".before*")
	if all := p.ok("workspace", "list"); !strings.Contains(all, "Demo") {
		t.Error(all)
	}
	for suffix, content := range map[string]string{"": "", "-journal": "cut off", "-wal": "cut off"} { // as after a kill
		if err := os.WriteFile(path+".restoring"+suffix, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p.fails(path+".restoring is there already: another restore is at work, or one was cut off; then remove the file", "restore", to)
	if err := os.Remove(path + ".restoring"); err != nil {
		t.Fatal(err)
	}
	p.ok("restore", to)
	none(t, path+".restoring*")
}

func none(t *testing.T, pattern string) {
	t.Helper()
	if names, err := filepath.Glob(pattern); err != nil || len(names) > 0 {
		t.Errorf("there is %v, %v", names, err)
	}
}

// An import that is stopped imports nothing, though what it reads never ends.
func TestImportIsStopped(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		p.ok("workspace", "create", "Acme")
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		defer r.Close()
		lines := strings.Repeat(`{"name":"a"}`+"\n", 20000)
		written := make(chan struct{})
		go func() {
			_, _ = w.WriteString(lines)
			close(written)
		}()
		isRead := func() bool {
			select {
			case <-written:
				return true
			default:
				return false
			}
		}
		if said := p.stopped(r, isRead, "import", "tasks", "/dev/stdin", "--format", "ndjson", "--workspace", "Acme"); !strings.Contains(said, "nothing was imported") {
			t.Error(said)
		}
		k := p.key("Acme", "read")
		s := p.serve()
		defer s.stop()
		if list := s.status(200, "GET", "/api/v1/tasks", k.Token, ""); !contains(list, `"count":0}`) {
			t.Error(list)
		}
	})
}

package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// program runs the binary in a folder of its own, without settings from the
// environment but those of the test.
type program struct {
	t   *testing.T
	dir string
	env []string
}

// newProgram returns one that uses the database at url, or for "" the one that
// it makes in its own folder.
func newProgram(t *testing.T, url string) *program {
	t.Helper()
	p := &program{t: t, dir: t.TempDir(), env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}}
	if url != "" {
		p.set("DATABASE_URL", url)
	}
	return p
}

// set puts a setting into the program's environment.
func (p *program) set(name, value string) { p.env = append(p.env, "RECORDS_"+name+"="+value) }

// eachDatabase runs f with a program on both databases.
func eachDatabase(t *testing.T, f func(t *testing.T, p *program)) {
	t.Helper()
	t.Parallel()
	for name, d := range map[string]string{"sqlite": dialect.SQLite, "postgres": dialect.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f(t, newProgram(t, dbtest.URL(t, d)))
		})
	}
}

// file writes a file into the program's folder.
func (p *program) file(name, content string) {
	p.t.Helper()
	if err := os.WriteFile(filepath.Join(p.dir, name), []byte(content), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func (p *program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	return cmd
}

// run runs a command to its end.
func (p *program) run(args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, args...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		p.t.Fatalf("records %s: %v", strings.Join(args, " "), err)
	}
	return out.String(), log.String(), cmd.ProcessState.ExitCode()
}

// ok runs a command that succeeds, and returns what it prints.
func (p *program) ok(args ...string) string {
	p.t.Helper()
	stdout, stderr, code := p.run(args...)
	if code != 0 {
		p.t.Fatalf("records %s: exit code %d: %s", strings.Join(args, " "), code, stderr)
	}
	return stdout
}

// json runs a command with --json, whose output is one line.
func (p *program) json(to any, args ...string) {
	p.t.Helper()
	out := p.ok(append(args, "--json")...)
	if strings.Count(out, "\n") != 1 {
		p.t.Errorf("records %s: %q is not one line", strings.Join(args, " "), out)
	}
	if err := json.Unmarshal([]byte(out), to); err != nil {
		p.t.Fatalf("records %s: %v: %q", strings.Join(args, " "), err, out)
	}
}

// fails runs a command that must fail with exactly one line.
func (p *program) fails(want string, args ...string) {
	p.t.Helper()
	stdout, stderr, code := p.run(args...)
	line, _ := strings.CutPrefix(stderr, "records: ")
	if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || strings.TrimSuffix(line, "\n") != want {
		p.t.Errorf("records %s:\nexit code %d, stdout %q, stderr %q;\nwant 1, and          %q", strings.Join(args, " "), code, stdout, stderr, "records: "+want+"\n")
	}
}

// failsWith is fails for a line of which only a part is known.
func (p *program) failsWith(part string, args ...string) {
	p.t.Helper()
	stdout, stderr, code := p.run(args...)
	if code != 1 || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "records: ") || !strings.Contains(stderr, part) {
		p.t.Errorf("records %s:\nexit code %d, stdout %q, stderr %q;\nwant 1, and one line with %q", strings.Join(args, " "), code, stdout, stderr, part)
	}
}

type key struct{ ID, Token, Workspace, Name, Prefix, Scope string }

// key makes a workspace, unless it is there, and a key of it.
func (p *program) key(workspace, scope string) key {
	p.t.Helper()
	_, _, _ = p.run("workspace", "create", workspace)
	var k key
	p.json(&k, "key", "create", "--workspace", workspace, "--name", "test", "--scope", scope)
	return k
}

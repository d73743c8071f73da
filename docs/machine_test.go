package docs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"records/internal/dbtest"
)

// machine is a terminal in the copy of the project, with a database of its own.
type machine struct {
	name        string
	root        string
	environment []string
	server      *exec.Cmd
}

func newMachine(t *testing.T, root, dialect string) *machine {
	t.Helper()
	m := &machine{name: dialect, root: root, environment: append(os.Environ(),
		"PATH="+tools(t)+string(os.PathListSeparator)+os.Getenv("PATH"),
		"RECORDS_DATABASE_URL="+dbtest.EmptyURL(t, dialect), "RECORDS_ADDR=127.0.0.1:0", "RECORDS_SERVER_DRAIN_DELAY=1ms",
		"MAKEFLAGS=RACE=", // its own tests run with the race detector already
	)}
	t.Cleanup(func() {
		if err := m.stop(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// tools is a folder with a curl, so that none need be installed: the test's own
// binary under that name.
func tools(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(self, filepath.Join(folder, "curl")); err != nil {
		t.Fatal(err)
	}
	return folder
}

// run runs a block of commands, and returns what they print. Its last may start
// the server, which goes on until the next one starts.
func (m *machine) run(commands string) (string, error) {
	before, serve, ok := strings.Cut(commands, "./records serve")
	out, err := m.shell(before)
	if err != nil || !ok {
		return out, err
	}
	return out, errors.Join(m.stop(), m.serve("./records serve"+serve))
}

func (m *machine) shell(commands string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-e", "-c", commands)
	cmd.Dir, cmd.Env = m.root, m.environment
	out, err := cmd.CombinedOutput()
	return string(out), err
}

var (
	listening = regexp.MustCompile(`Listening on (\S+)`)
	token     = regexp.MustCompile(`\bwrk_\w+`)
)

// serve starts the server, and keeps the address and the key that it prints as a
// reader would: in $API and $KEY.
func (m *machine) serve(command string) error {
	m.server = exec.Command("sh", "-c", "exec "+command)
	m.server.Dir, m.server.Env = m.root, m.environment
	m.server.Stderr = os.Stderr
	out, err := m.server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := m.server.Start(); err != nil {
		return err
	}
	var printed strings.Builder
	for lines := bufio.NewScanner(out); lines.Scan(); {
		printed.WriteString(lines.Text() + "\n")
		address, key := listening.FindStringSubmatch(printed.String()), token.FindString(printed.String())
		if address != nil && key != "" {
			m.environment = append(m.environment, "API="+address[1]+"/api/v1", "KEY="+key)
			return nil
		}
	}
	return fmt.Errorf("%s printed no address and key: %s", command, printed.String())
}

// stop ends the server as a service manager does.
func (m *machine) stop() error {
	if m.server == nil {
		return nil
	}
	server := m.server
	m.server = nil
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return server.Wait()
}

// Package pgcluster makes PostgreSQL clusters whose data nobody will miss, for
// tests, benchmarks and the generator of the migrations. What serves them is started
// by the caller.
package pgcluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Cluster is one cluster, and the programs that serve it.
type Cluster struct {
	bin   string // the folder of PostgreSQL's programs
	home  string
	owner *syscall.Credential // nil for ourselves
}

// New makes an empty home for a cluster in the folder, which everyone may enter.
func New(bin, folder string) (*Cluster, error) {
	owner, err := owner()
	if err != nil {
		return nil, err
	}
	c := &Cluster{bin: bin, home: filepath.Join(folder, "postgres"), owner: owner}
	if err := os.Mkdir(c.home, 0o700); err != nil {
		return nil, err
	}
	if owner == nil {
		return c, nil
	}
	return c, os.Chown(c.home, int(owner.Uid), int(owner.Gid))
}

// Data is the folder of the cluster's files.
func (c *Cluster) Data() string { return filepath.Join(c.home, "data") }

// Command returns one of PostgreSQL's programs, to be run as the cluster's owner.
func (c *Cluster) Command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(c.bin, program), args...)
	cmd.Dir = c.home // the folder we are in may be closed to that user
	cmd.Env = environment(os.Environ())
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.owner}
	return cmd
}

// Init fills the cluster with a superuser named postgres, who needs no password.
// Locale C: the server sorts and folds alike on every machine.
func (c *Cluster) Init(ctx context.Context) error {
	initdb := c.Command(ctx, "initdb", "--pgdata", c.Data(),
		"--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C",
		"--no-sync", "--no-instructions")
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// Serve returns the command that serves the cluster on a port of the loopback
// interface, with further settings such as "fsync=off".
func (c *Cluster) Serve(port int, settings ...string) *exec.Cmd {
	args := []string{"-D", c.Data()}
	for _, setting := range append([]string{
		"listen_addresses=127.0.0.1",
		"port=" + strconv.Itoa(port),
		"unix_socket_directories=",
		"timezone=UTC",
		"log_timezone=UTC",
	}, settings...) {
		args = append(args, "-c", setting)
	}
	return c.Command(context.Background(), "postgres", args...)
}

// URL is where the cluster is served on a port.
func URL(port int) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port)
}

// Ready tells whether the process serves the cluster on the port. It reads the
// server's own lock file, as pg_ctl does: it names the process and the port, and
// ends with the state. So another server on the same port is not taken for ours,
// and no client program is needed.
func (c *Cluster) Ready(pid, port int) bool {
	text, err := os.ReadFile(filepath.Join(c.Data(), "postmaster.pid"))
	if err != nil {
		return false
	}
	const pidLine, portLine, stateLine = 0, 3, 7
	lines := strings.Split(string(text), "\n")
	return len(lines) > stateLine &&
		lines[pidLine] == strconv.Itoa(pid) &&
		lines[portLine] == strconv.Itoa(port) &&
		strings.TrimSpace(lines[stateLine]) == "ready"
}

// environment leaves out the settings that PostgreSQL takes from a person's
// environment (PGDATA, PGPORT and the like).
func environment(of []string) []string {
	kept := []string{"LC_ALL=C"}
	for _, entry := range of {
		if !strings.HasPrefix(entry, "PG") && !strings.HasPrefix(entry, "LC_ALL=") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// owner is the user to run PostgreSQL as, nil for ourselves: it refuses to be run
// by root.
func owner() (*syscall.Credential, error) {
	if os.Geteuid() != 0 {
		return nil, nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)
		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(uidErr, gidErr); err != nil {
			return nil, err
		}
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, nil
	}
	return nil, errors.New("PostgreSQL does not run as root, and there is no user postgres or nobody to run it as")
}

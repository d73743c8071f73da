package main

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

// startPostgres makes a cluster in the folder and serves it.
func startPostgres(ctx context.Context, bin, folder string, durable bool) (*process, string, error) {
	owner, err := postgresOwner()
	if err != nil {
		return nil, "", err
	}
	home := filepath.Join(folder, "postgres")
	data := filepath.Join(home, "data")
	if err := os.Mkdir(home, 0o700); err != nil {
		return nil, "", err
	}
	if owner != nil {
		if err := os.Chown(home, int(owner.Uid), int(owner.Gid)); err != nil {
			return nil, "", err
		}
	}
	prepare := func(cmd *exec.Cmd) *exec.Cmd {
		cmd.Dir = home // the folder we are in may be closed to that user
		cmd.Env = postgresEnvironment(os.Environ())
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: owner}
		return cmd
	}
	// Locale C: the server sorts and folds alike on every machine.
	initdb := prepare(exec.CommandContext(ctx, filepath.Join(bin, "initdb"), "--pgdata", data,
		"--username", "postgres", "--auth", "trust", "--encoding", "UTF8", "--locale", "C",
		"--no-sync", "--no-instructions"))
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, "", fmt.Errorf("initdb: %w\n%s", err, out)
	}
	p, port, err := launchOnFreePort(ctx, filepath.Join(folder, "postgres.log"), syscall.SIGQUIT,
		func(port int) *exec.Cmd {
			return prepare(exec.Command(filepath.Join(bin, "postgres"), postgresArguments(data, port, durable)...))
		},
		func(pid, port int) bool { return postgresReady(data, pid, port) })
	if err != nil {
		return nil, "", err
	}
	return p, fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", port), nil
}

// postgresArguments are the settings of a server whose data nobody will miss. A
// durable one writes as if they would, and leaves maintenance out: it would fall
// into one measurement and not into the other.
func postgresArguments(data string, port int, durable bool) []string {
	settings := []string{
		"listen_addresses=127.0.0.1",
		"port=" + strconv.Itoa(port),
		"unix_socket_directories=",
		"max_connections=300",
		"timezone=UTC",
		"log_timezone=UTC",
	}
	if durable {
		settings = append(settings, "shared_buffers=1GB", "max_wal_size=8GB", "checkpoint_timeout=1h", "autovacuum=off")
	} else {
		settings = append(settings, "shared_buffers=128MB", "fsync=off", "synchronous_commit=off", "full_page_writes=off")
	}
	args := []string{"-D", data}
	for _, setting := range settings {
		args = append(args, "-c", setting)
	}
	return args
}

// postgresReady reads the server's own lock file, as pg_ctl does: it names the
// process and the port, and ends with the state. So another server on the same
// port is not taken for ours, and no client program is needed.
func postgresReady(data string, pid, port int) bool {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
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

// postgresEnvironment leaves out the settings that PostgreSQL takes from a
// person's environment (PGDATA, PGPORT and the like).
func postgresEnvironment(environment []string) []string {
	kept := []string{"LC_ALL=C"}
	for _, entry := range environment {
		if !strings.HasPrefix(entry, "PG") && !strings.HasPrefix(entry, "LC_ALL=") {
			kept = append(kept, entry)
		}
	}
	return kept
}

// postgresOwner is the user to run PostgreSQL as, nil for ourselves: it refuses
// to be run by root.
func postgresOwner() (*syscall.Credential, error) {
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

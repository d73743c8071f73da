package dbtest

import (
	"bytes"
	"cmp"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pgBouncerWait is how long a PgBouncer may take until it listens.
const pgBouncerWait = 10 * time.Second

// PgBouncer starts a PgBouncer in front of the PostgreSQL database of rawURL, for
// as long as the test lasts, and returns the URL through it. mode is its
// pool_mode: "transaction" shares few sessions among all clients, "session" gives
// each client one of its own. TEST_PGBOUNCER names the program.
func PgBouncer(t testing.TB, rawURL, mode string) string {
	t.Helper()
	program := os.Getenv("TEST_PGBOUNCER")
	if program == "" {
		t.Fatal("TEST_PGBOUNCER is not set: run make test")
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		t.Fatal("not a URL")
	}
	address := freeAddress(t)
	file := filepath.Join(t.TempDir(), "pgbouncer.ini")
	if err := os.WriteFile(file, pgBouncerSettings(u, address, mode), 0o600); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	cmd := exec.Command(program, file)
	cmd.Stdout, cmd.Stderr = &log, &log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { defer close(ended); _ = cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // at once: SIGINT waits for clients
		<-ended
	})
	for until := time.Now().Add(pgBouncerWait); !listens(address); time.Sleep(10 * time.Millisecond) {
		select {
		case <-ended:
			t.Fatalf("PgBouncer has ended:\n%s", &log)
		default:
		}
		if time.Now().After(until) {
			t.Fatalf("PgBouncer does not listen at %s", address)
		}
	}
	return withHost(t, rawURL, address)
}

// pgBouncerSettings lets whoever comes in, as the user of the database's URL.
func pgBouncerSettings(u *url.URL, address, mode string) []byte {
	host, port, _ := net.SplitHostPort(address)
	name := strings.TrimPrefix(u.Path, "/")
	database := fmt.Sprintf("%s = host=%s port=%s user=%s", name, u.Hostname(), cmp.Or(u.Port(), "5432"), u.User.Username())
	if password, ok := u.User.Password(); ok {
		database += " password='" + strings.ReplaceAll(password, "'", "''") + "'"
	}
	lines := []string{
		"[databases]", database,
		"[pgbouncer]",
		"listen_addr = " + host, "listen_port = " + port, "unix_socket_dir =",
		"auth_type = any",
		"pool_mode = " + mode,
		"default_pool_size = 2", // fewer than a pool has connections, so that they meet
		"server_tls_sslmode = prefer",
	}
	if os.Geteuid() == 0 {
		lines = append(lines, "user = nobody") // it does not run as root
	}
	return []byte(strings.Join(lines, "\n") + "\n")
}

// freeAddress is one of the loopback interface that nobody listens at.
func freeAddress(t testing.TB) string {
	t.Helper()
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(freePort(t)))
}

// freePort is one of the loopback interface that nobody listens at.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func listens(address string) bool {
	conn, err := net.DialTimeout("tcp", address, time.Second)
	if err == nil {
		_ = conn.Close()
	}
	return err == nil
}

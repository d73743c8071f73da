package dbtest

import (
	"os"
	"syscall"
	"testing"

	"records/internal/database"
)

// Freeze stops every process of the server where it is, as a machine that hangs does.
// Connections stand, and nobody answers on them, until Thaw.
func (c *Cluster) Freeze(t testing.TB) {
	t.Helper()
	t.Cleanup(c.Thaw)
	db, err := database.Open(c.URL, database.Options{MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.SQL().Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	signal(c.server.Process.Pid, syscall.SIGSTOP) // no others come from now on
	rows, err := conn.QueryContext(t.Context(), "SELECT pid FROM pg_stat_activity")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var pid int
		if err := rows.Scan(&pid); err != nil {
			t.Fatal(err)
		}
		c.frozen = append(c.frozen, pid)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range c.frozen {
		signal(pid, syscall.SIGSTOP)
	}
	c.frozen = append(c.frozen, c.server.Process.Pid)
}

// Thaw lets a frozen server go on.
func (c *Cluster) Thaw() {
	for _, pid := range c.frozen {
		signal(pid, syscall.SIGCONT)
	}
	c.frozen = nil
}

// signal tells a process something, which fails only if it has ended.
func signal(pid int, what syscall.Signal) {
	if p, err := os.FindProcess(pid); err == nil {
		_ = p.Signal(what)
	}
}

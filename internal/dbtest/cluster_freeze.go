package dbtest

import (
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// Freeze stops every process of the server where it is, as a machine that hangs does:
// connections stand and are accepted, and nobody answers on them, until Thaw.
func (c *Cluster) Freeze(t testing.TB) {
	t.Helper()
	t.Cleanup(func() { c.Thaw(t) }) // a process that is stopped cannot end
	c.signal(t, syscall.SIGSTOP)
}

// Thaw lets a frozen server go on.
func (c *Cluster) Thaw(t testing.TB) {
	t.Helper()
	c.signal(t, syscall.SIGCONT)
}

// signal reaches the server's first process, so that no others come, and then those
// that it has started. Each of them leads a group of its own.
func (c *Cluster) signal(t testing.TB, what syscall.Signal) {
	t.Helper()
	first := c.server.Process.Pid
	_ = syscall.Kill(first, what) // the error: it has ended
	list, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(list)) {
		var pid, parent int
		if n, _ := fmt.Sscan(line, &pid, &parent); n == 2 && parent == first {
			_ = syscall.Kill(pid, what)
		}
	}
}

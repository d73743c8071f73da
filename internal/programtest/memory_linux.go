package programtest

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// Memory is what the kernel says of a process under a name of proc(5), in KiB: VmRSS,
// what is resident; RssAnon, what of it is the process's own; RssFile, what is of files.
func Memory(t testing.TB, pid int, name string) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "\n"+name+":")
	var kib int
	if _, err := fmt.Sscanf(rest, "%d kB", &kib); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return kib
}

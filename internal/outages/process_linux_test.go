package outages

import (
	"testing"

	"golang.org/x/sys/unix"

	"records/internal/programtest"
)

const (
	canLimitFiles = true
	unlimited     = unix.RLIM_INFINITY
)

// limitFiles lets no file that a process writes grow beyond so many bytes.
func limitFiles(t *testing.T, pid int, bytes uint64) {
	t.Helper()
	err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil)
	if err != nil {
		t.Error(err)
	}
}

// resident is the memory of a process, in MB.
func resident(t *testing.T, pid int) int {
	t.Helper()
	return programtest.Memory(t, pid, "VmRSS") >> 10
}

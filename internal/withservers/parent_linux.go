package main

import (
	"fmt"
	"syscall"
)

// killWithParent makes a child end when we do, however we end.
func killWithParent(attr *syscall.SysProcAttr, signal syscall.Signal) {
	attr.Pdeathsig = signal
}

// dieWithParent asks for SIGTERM when our own parent ends: `go run` does not
// pass on the signal that ends it, and its program would stay behind.
func dieWithParent() error {
	_, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_SET_PDEATHSIG, uintptr(syscall.SIGTERM), 0)
	if errno != 0 {
		return fmt.Errorf("prctl: %w", errno)
	}
	return nil
}

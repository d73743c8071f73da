//go:build !linux

package main

import (
	"errors"
	"syscall"
	"time"
)

// errNotLinux: where CPU and memory of another process are read is a matter of
// the system.
var errNotLinux = errors.New("the benchmark reads /proc, which only Linux has")

func processCPU(int) meter { return func() (time.Duration, error) { return 0, errNotLinux } }

func treeCPU(int) meter { return func() (time.Duration, error) { return 0, errNotLinux } }

func readStat(int) (stat, error) { return stat{}, errNotLinux }

func dieWithUs() *syscall.SysProcAttr { return nil }

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// processCPU is the meter of one process, with all its threads. It reads the
// process's own clock, which is that of utime and stime without their rounding to
// hundredths of a second (man 2 clock_getres).
func processCPU(pid int) meter {
	const scheduled = 2 // CPUCLOCK_SCHED, of linux/posix-timers.h
	return func() (time.Duration, error) {
		var t unix.Timespec
		if err := unix.ClockGettime(int32(^pid<<3|scheduled), &t); err != nil {
			return 0, fmt.Errorf("the CPU clock of process %d: %w", pid, err)
		}
		return time.Duration(t.Nano()), nil
	}
}

// treeCPU is the meter of a process and all its children, those that ended
// included.
func treeCPU(pid int) meter {
	return func() (time.Duration, error) {
		children, err := childrenOf(pid)
		if err != nil {
			return 0, err
		}
		s, err := readStat(pid)
		if err != nil {
			return 0, err
		}
		sum := s.reaped
		for _, p := range append(children, pid) {
			d, err := processCPU(p)()
			if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ESRCH) {
				continue // it ended just now
			}
			if err != nil {
				return 0, err
			}
			sum += d
		}
		return sum, nil
	}
}

func childrenOf(parent int) ([]int, error) {
	folders, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var children []int
	for _, f := range folders {
		pid, err := strconv.Atoi(f.Name())
		if err != nil {
			continue // not a process
		}
		s, err := readStat(pid)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue // it ended just now
		}
		if err != nil {
			return nil, err
		}
		if s.parent == parent {
			children = append(children, pid)
		}
	}
	return children, nil
}

func readStat(pid int) (stat, error) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(line))
}

// dieWithUs makes a server end when we do, however we end.
func dieWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM} }

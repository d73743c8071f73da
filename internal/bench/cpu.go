package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// meter reads the CPU time that something has taken since it began, of the user
// and of the system.
type meter func() (time.Duration, error)

// reading reads several meters.
func reading(meters ...meter) ([]time.Duration, error) {
	var all []time.Duration
	for _, m := range meters {
		d, err := m()
		if err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// nothing is the meter of a database that is part of the program.
func nothing() (time.Duration, error) { return 0, nil }

// tick is the unit of /proc/PID/stat: Linux shows programs a clock of 100 Hz,
// whatever its own (USER_HZ; man 5 proc).
const tick = 10 * time.Millisecond

// stat is what we read of /proc/PID/stat.
type stat struct {
	parent int
	own    time.Duration // utime + stime
	reaped time.Duration // cutime + cstime: of children that ended
}

// parseStat reads a line of /proc/PID/stat. The name in it may hold anything.
func parseStat(line string) (stat, error) {
	const parent, utime, stime, cutime, cstime = 1, 11, 12, 13, 14 // behind the name
	fields := strings.Fields(line[strings.LastIndexByte(line, ')')+1:])
	if len(fields) <= cstime {
		return stat{}, fmt.Errorf("not a line of /proc/PID/stat: %q", line)
	}
	var numbers [cstime + 1]int64
	for _, i := range []int{parent, utime, stime, cutime, cstime} {
		n, err := strconv.ParseInt(fields[i], 10, 64)
		if err != nil {
			return stat{}, fmt.Errorf("not a line of /proc/PID/stat: %w", err)
		}
		numbers[i] = n
	}
	return stat{
		parent: int(numbers[parent]),
		own:    time.Duration(numbers[utime]+numbers[stime]) * tick,
		reaped: time.Duration(numbers[cutime]+numbers[cstime]) * tick,
	}, nil
}

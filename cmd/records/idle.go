package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// idleAfter is how long there must have been next to nothing to do.
	idleAfter = time.Second
	idleBytes = 512 << 10 // what Prometheus' looking allocates
	// busyBytes is after how much work giving back is worth its time, which is that of
	// a hundred requests. One allocates some 10 KB.
	busyBytes = 16 << 20
	// heldBytes are more than caches take. Somebody reads a large answer slowly, and it
	// is for the next time.
	heldBytes = 64 << 20
	// mostPause is how many quiet ticks go by, in the end, between two looks at that.
	mostPause = 64
)

// restWhenIdle gives memory back to the system once there is nothing to do after much,
// until the context ends. Go would keep what the garbage took, and the kernel the pages
// of the program's file, for as long as the process lives.
func restWhenIdle(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last, work := heap("allocs"), uint64(busyBytes) // the start is much
	skip, pause := 0, 1                             // how many ticks, now and the next time, after nothing came of it
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		now := heap("allocs")
		did := now - last
		last = now
		work += did
		switch {
		case did > idleBytes:
			skip, pause = 0, 1
		case work < busyBytes:
		case skip > 0:
			skip--
		default:
			debug.FreeOSMemory()
			forgetProgram()
			if heap("live") < heldBytes {
				work = 0
			}
			skip, pause = pause, min(2*pause, mostPause)
		}
	}
}

// heap is how many bytes the program has allocated since it began (allocs), or were in
// use when the garbage was collected (live).
func heap(what string) uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/" + what + ":bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

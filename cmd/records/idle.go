package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

const (
	// idleAfter is how long there must have been next to nothing to do.
	idleAfter = 5 * time.Second
	// A request allocates some 10 KB, and Prometheus' looking several 100.
	busyBytes = 64 << 20
	idleBytes = 2 << 20
)

// restWhenIdle gives memory back to the system once there is nothing to do after much,
// until the context ends. Go would keep what the garbage took, and the kernel the pages
// of the program's file, for as long as the process lives.
func restWhenIdle(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	last, busy := allocated(), true // the start is much
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		now := allocated()
		switch did := now - last; {
		case did >= busyBytes:
			busy = true
		case busy && did <= idleBytes:
			busy = false
			debug.FreeOSMemory()
			forgetProgram()
		}
		last = now
	}
}

// allocated is how many bytes the program has allocated since it began.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

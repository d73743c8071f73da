package main

import (
	"bytes"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"records/internal/programtest"
)

// What much work took is given back when there is none, and what is held longer as
// soon as it is not.
func TestIdleGivesBack(t *testing.T) {
	const every = 50 * time.Millisecond
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // only what is tested collects the garbage
	resident := func() int { return programtest.Memory(t, os.Getpid(), "RssAnon") }
	given := func(bytes, before int) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); resident() > before-bytes>>10*3/4; time.Sleep(every) {
			if time.Now().After(deadline) {
				t.Fatalf("%d KB are resident, and %d before", resident(), before)
			}
		}
	}
	used, held := bytes.Repeat([]byte("used"), busyBytes/4), bytes.Repeat([]byte("held"), heldBytes/4)
	runtime.KeepAlive(used)
	before := resident()
	go restWhenIdle(t.Context(), every)
	given(busyBytes, before)
	before = resident()
	runtime.KeepAlive(held)
	given(heldBytes, before)
}

// What is held for good is looked at ever less often.
func TestIdleWithMuchThatIsHeld(t *testing.T) {
	const every, ticks = 5 * time.Millisecond, 200
	held := make([]*[64]*byte, heldBytes/512+heldBytes/4096)
	for i := range held {
		held[i] = new([64]*byte)
	}
	forced := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumForcedGC
	}
	before := forced()
	go restWhenIdle(t.Context(), every)
	time.Sleep(ticks * every)
	if n := forced() - before; n < 1 || n > ticks/10 {
		t.Errorf("collected %d times in about %d ticks", n, ticks)
	}
	runtime.KeepAlive(held)
}

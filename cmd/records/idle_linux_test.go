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

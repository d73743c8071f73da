package main

import (
	"runtime"
	"testing"
)

// The garbage has its room beside what is in use.
func TestRoomForGarbage(t *testing.T) {
	next := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NextGC
	}
	before := next()
	room := giveRoom()
	after := next()
	if runtime.KeepAlive(room); after < before+garbageRoom {
		t.Errorf("the garbage is collected at %d bytes with the room, at %d without", after, before)
	}
}

package main

import (
	"bytes"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"records/internal/programtest"
)

// The room takes no memory, also where Go makes it of memory that was used before.
func TestRoomTakesNoMemory(t *testing.T) {
	for range 8 {
		used := bytes.Repeat([]byte("used"), garbageRoom/4)
		runtime.KeepAlive(used)
		runtime.GC()
		room := giveRoom()
		resident := make([]byte, (len(room)+os.Getpagesize()-1)/os.Getpagesize())
		if _, _, err := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&room[0])), uintptr(len(room)), uintptr(unsafe.Pointer(&resident[0]))); err != 0 {
			t.Fatal(err)
		}
		if n := bytes.Count(resident, []byte{1}); n > 0 {
			t.Errorf("%d of %d pages take memory", n, len(resident))
		}
		runtime.KeepAlive(room)
	}
}

// What only the start needed of the program's file is no longer resident.
func TestStartIsForgotten(t *testing.T) {
	adviseProgram(unix.MADV_POPULATE_READ)
	before := programtest.Memory(t, os.Getpid(), "RssFile")
	forgetProgram()
	if after := programtest.Memory(t, os.Getpid(), "RssFile"); after > before/2 {
		t.Errorf("%d KB of files are resident, and %d before", after, before)
	}
}

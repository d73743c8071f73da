package main

import (
	"bytes"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
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
	before := fromStatus(t, "RssFile")
	forgetProgram()
	if after := fromStatus(t, "RssFile"); after > before/2 {
		t.Errorf("%d KB of files are resident, and %d before", after, before)
	}
}

// fromStatus is what the kernel says of this process, in KB: RssFile, what is resident
// of files, or RssAnon, what is the process's own.
func fromStatus(t *testing.T, name string) int {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	n, err := strconv.Atoi(string(regexp.MustCompile(name + `:\s+(\d+) kB`).FindSubmatch(status)[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

package main

import (
	"bufio"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// forget gives the memory of bytes that are all zero back until they are used. Go has
// written the zeroes where something else was there before, as in four of ten starts.
func forget(zeroes []byte) {
	_ = unix.Madvise(zeroes, unix.MADV_DONTNEED) // the error: they stay
}

// forgetProgram gives back the pages of the program's own file, of which most are code
// that only the start runs. What is needed again comes from the page cache.
func forgetProgram() { adviseProgram(unix.MADV_DONTNEED) }

// adviseProgram advises the kernel of the pages of the program's own file (madvise(2)).
// Mappings with a page that was written to are left alone (proc(5), smaps).
func adviseProgram(advice uintptr) {
	program, err := os.Executable()
	if err != nil {
		return
	}
	file, err := os.Open("/proc/self/smaps")
	if err != nil {
		return // they stay
	}
	defer file.Close()
	var from, to uint64
	for lines := bufio.NewScanner(file); lines.Scan(); {
		words := strings.Fields(lines.Text())
		switch {
		case len(words) == 6 && words[5] == program && words[1][1] == '-': // not written to
			first, last, _ := strings.Cut(words[0], "-")
			from, _ = strconv.ParseUint(first, 16, 64)
			to, _ = strconv.ParseUint(last, 16, 64)
		case len(words) == 3 && words[0] == "Anonymous:" && words[1] == "0" && from > 0:
			_, _, _ = unix.Syscall(unix.SYS_MADVISE, uintptr(from), uintptr(to-from), advice)
			from = 0
		case len(words) > 4: // another mapping
			from = 0
		}
	}
}

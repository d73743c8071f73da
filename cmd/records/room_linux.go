package main

import "golang.org/x/sys/unix"

// forget gives the memory of bytes that are all zero back until they are used. Go has
// written the zeroes where something else was there before, as in four of ten starts.
func forget(zeroes []byte) {
	_ = unix.Madvise(zeroes, unix.MADV_DONTNEED) // the error: they stay
}

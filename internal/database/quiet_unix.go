//go:build linux || darwin || freebsd

package database

import (
	"errors"
	"net"
	"syscall"
)

// quiet reports whether an idle connection has nothing to read: no bytes, which a
// server sends unasked only to say that it is closing, and no end of the stream.
// It looks without waiting and takes nothing away.
func quiet(conn net.Conn) bool {
	sys, ok := conn.(syscall.Conn)
	if !ok {
		return true
	}
	raw, err := sys.SyscallConn()
	if err != nil {
		return false
	}
	var peeked error
	err = raw.Control(func(fd uintptr) {
		var b [1]byte
		_, _, peeked = syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	})
	return err == nil && errors.Is(peeked, syscall.EAGAIN)
}

//go:build !linux && !darwin && !freebsd

package database

import "net"

// quiet cannot look into a socket here without waiting: a connection that the
// server has closed is found out by the next statement.
func quiet(net.Conn) bool { return true }

package server

import (
	"errors"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// lastLook is how long an idle connection that ends waits for what its client may have
// sent meanwhile: if so, that is there already.
const lastLook = time.Millisecond

// ended stands for the time since when a connection is idle, once it is to end.
const ended = -1

// clientConn is a connection of a client. The http.Server reads, writes and closes it
// as it does any other.
type clientConn struct {
	net.Conn
	from string
	idle atomic.Int64 // since when, in nanoseconds of the Unix epoch; 0: it is not
	mu   sync.Mutex   // held to end it, and to find that it is not idle
}

// Read implements net.Conn. A request that came before an idle connection ends is read.
func (c *clientConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if n == 0 && errors.Is(err, os.ErrDeadlineExceeded) && c.idle.Load() != 0 {
		_ = c.SetReadDeadline(time.Now().Add(lastLook))
		n, err = c.Conn.Read(b)
	}
	if n > 0 {
		c.busy()
	}
	return n, err
}

// Write implements net.Conn. What is answered had come, if only behind the request
// before it, of which the http.Server says nothing.
func (c *clientConn) Write(b []byte) (int, error) {
	c.busy()
	return c.Conn.Write(b)
}

// busy notes that the connection is not idle.
func (c *clientConn) busy() {
	if c.idle.Load() != 0 {
		c.mu.Lock()
		c.idle.Store(0)
		c.mu.Unlock()
	}
}

// end has the http.Server close the connection, if it has been idle since then. Where
// a request is found after all it is answered, for which the http.Server sets its own
// deadline.
func (c *clientConn) end(since int64) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.idle.CompareAndSwap(since, ended) && c.SetReadDeadline(time.Unix(1, 0)) == nil
}

// CloseWrite lets the http.Server end its half, as it does where it can.
func (c *clientConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

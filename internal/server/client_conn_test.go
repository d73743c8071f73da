package server

import (
	"net"
	"testing"
	"time"
)

// A connection over which something is read or answered is not idle, and is not ended;
// what came before an idle one ends is read.
func TestClientConn(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	client, err := net.Dial("tcp", listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	accepted, err := listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer accepted.Close()
	c := &clientConn{Conn: accepted}
	since := time.Now().Add(-time.Minute).UnixNano()
	buffer := make([]byte, 8)
	for what, use := range map[string]func() error{
		"written": func() error { _, err := c.Write([]byte("a")); return err },
		"read": func() error {
			_, err := client.Write([]byte("a"))
			if err == nil {
				_, err = c.Read(buffer)
			}
			return err
		},
	} {
		c.idle.Store(since)
		if err := use(); err != nil || c.end(since) {
			t.Errorf("%s: %v, or ended", what, err)
		}
	}
	c.idle.Store(since)
	if _, err := client.Write([]byte("late")); err != nil {
		t.Fatal(err)
	}
	if !c.end(since) || c.end(since) {
		t.Error("an idle one is ended, and once")
	}
	if n, err := c.Read(buffer); n != 4 || err != nil {
		t.Errorf("what came: %d bytes, %v", n, err)
	}
	c.idle.Store(since)
	if !c.end(since) {
		t.Error("an idle one is ended")
	}
	if n, err := c.Read(buffer); n != 0 || err == nil {
		t.Errorf("when nothing came: %d bytes, %v", n, err)
	}
}

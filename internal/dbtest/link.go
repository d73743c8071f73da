package dbtest

import (
	"bytes"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// link is one connection through a proxy.
type link struct {
	p              *Proxy
	client, server net.Conn
	cut            atomic.Pointer[Cut] // what happens to the reply under way
	once           sync.Once
}

// serve connects a client to the server until one of them leaves.
func (p *Proxy) serve(client net.Conn) {
	server, err := net.DialTimeout("tcp", p.upstream, 5*time.Second)
	if err != nil {
		_ = client.Close()
		return
	}
	l := &link{p: p, client: client, server: server}
	p.mu.Lock()
	p.links[l] = true
	gone := p.listener == nil
	p.mu.Unlock()
	if gone {
		l.end(false)
	}
	go l.answer()
	l.ask()
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// ask carries the client's data to the server.
func (l *link) ask() {
	defer l.end(false)
	buffer := make([]byte, 64<<10)
	for {
		n, err := l.client.Read(buffer)
		if err != nil {
			return
		}
		l.p.writes.Add(1)
		if l.p.silent() {
			continue
		}
		if cut := l.p.cutting(string(buffer[:n])); cut != nil {
			if cut.Undelivered {
				l.end(cut.Reset)
				return
			}
			l.cut.Store(cut)
		}
		if _, err := l.server.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// answer carries the server's data to the client.
func (l *link) answer() {
	defer l.end(false)
	buffer := make([]byte, 64<<10)
	for {
		n, err := l.server.Read(buffer)
		if err != nil {
			return
		}
		if l.p.silent() {
			continue
		}
		data := buffer[:n]
		if cut := l.cut.Load(); cut != nil {
			if complete(data) {
				data = data[:n-readyLength]
			}
			if cut.Partial {
				_, _ = l.client.Write(data)
			}
			if len(data) < n {
				l.end(cut.Reset)
				return
			}
			continue
		}
		if _, err := l.client.Write(data); err != nil {
			return
		}
	}
}

// end closes both sides. A client that is reset gets an error instead of an end.
func (l *link) end(reset bool) {
	l.once.Do(func() {
		if tcp, ok := l.client.(*net.TCPConn); ok && reset {
			_ = tcp.SetLinger(0)
		}
		_ = l.client.Close()
		_ = l.server.Close()
	})
}

// readyLength is the length of the message with which PostgreSQL ends a reply,
// once the statement is committed: 'Z', a length of five, and a status.
const readyLength = 6

// complete reports whether data ends a reply of PostgreSQL.
func complete(data []byte) bool {
	i := len(data) - readyLength
	return i >= 0 && bytes.Equal(data[i:i+5], []byte{'Z', 0, 0, 0, 5})
}

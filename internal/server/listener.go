package server

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"records/internal/rest"
)

const (
	// refuseTimeout is how long a client that was refused may take to see it.
	refuseTimeout = time.Second
	// maxRefusals is how many of them are waited for at once. Past that they are told
	// all the same, and cut off.
	maxRefusals = 64
	// idleAtLeast is how long a connection is idle before it makes room for another.
	idleAtLeast = 5 * time.Second
	// lookAgain is how long none is looked for after there was none.
	lookAgain = 100 * time.Millisecond
	// fewConnections are so few that one address may have them all.
	fewConnections = 64
)

// connections bounds those of clients, and those of one address to half of them. One
// too many takes the place of one that has been idle for a while; where there is none it
// is answered 503 and closed: left in the system's own line, its client would wait for
// ever and know nothing.
type connections struct {
	net.Listener
	log      *slog.Logger
	failing  bool           // the last call of Accept failed
	most     int            // 0: no bound
	proxies  []netip.Prefix // which have as many as they need
	refused  atomic.Int64
	refusing chan struct{}

	mu   sync.Mutex
	open map[*clientConn]struct{}
	of   map[string]int // by address
	none time.Time      // when no idle one was found
}

// clientConn is a connection of a client. The http.Server reads, writes and closes it
// as it does any other.
type clientConn struct {
	net.Conn
	from string
	idle atomic.Int64 // since when, in nanoseconds of the Unix epoch; 0: it is not
}

// CloseWrite lets the http.Server end its half, as it does where it can.
func (c *clientConn) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

func newConnections(most int, proxies []netip.Prefix) *connections {
	return &connections{most: most, proxies: proxies, refusing: make(chan struct{}, maxRefusals), open: map[*clientConn]struct{}{}, of: map[string]int{}}
}

// Accept implements net.Listener.
func (l *connections) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		l.tell(err)
		if err != nil {
			return nil, err
		}
		client := &clientConn{Conn: conn, from: l.fromOf(conn)}
		if l.admit(client) {
			return client, nil
		}
		l.refused.Add(1)
		refuseConnection(conn)
		select {
		case l.refusing <- struct{}{}:
			go func() {
				awaitLeave(conn)
				<-l.refusing
			}()
		default:
			_ = conn.Close()
		}
	}
}

// fromOf is what connections are counted by, "" for a trusted proxy.
func (l *connections) fromOf(conn net.Conn) string {
	var peer netip.Addr
	if tcp, ok := conn.RemoteAddr().(*net.TCPAddr); ok {
		peer = plainAddr(tcp.AddrPort().Addr())
	}
	if contains(l.proxies, peer) {
		return ""
	}
	return ceilingKey(peer)
}

// admit counts a connection, if there is room for it or can be made.
func (l *connections) admit(c *clientConn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.most > 0 {
		share := max(l.most/2, min(l.most, fewConnections))
		if c.from != "" && l.of[c.from] >= share && !l.endIdle(c.from) {
			return false
		}
		if len(l.open) >= l.most && !l.endIdle("") {
			return false
		}
	}
	l.open[c] = struct{}{}
	l.of[c.from]++
	return true
}

// endIdle ends the connection that has been idle for the longest time, of an address or
// of any for "", if it is long enough. What its client may have sent meanwhile is
// answered, for only the reading ends.
func (l *connections) endIdle(from string) bool {
	if time.Since(l.none) < lookAgain { // there are thousands, and newcomers may be as many
		return false
	}
	var longest *clientConn
	since := time.Now().Add(-idleAtLeast).UnixNano()
	for c := range l.open {
		if idle := c.idle.Load(); idle != 0 && idle <= since && (from == "" || from == c.from) {
			longest, since = c, idle
		}
	}
	if longest == nil {
		l.none = time.Now()
		return false
	}
	half, ok := longest.Conn.(interface{ CloseRead() error })
	if !ok || half.CloseRead() != nil {
		return false
	}
	l.forget(longest)
	return true
}

// forget takes a connection out of the counts, once.
func (l *connections) forget(c *clientConn) {
	if _, open := l.open[c]; !open {
		return
	}
	delete(l.open, c)
	if l.of[c.from]--; l.of[c.from] == 0 {
		delete(l.of, c.from)
	}
}

// count is how many connections are open.
func (l *connections) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// tell logs once that clients cannot be let in, for want of open files as a rule. The
// http.Server tries again, and their connections wait in the system's line.
func (l *connections) tell(err error) {
	failing := err != nil && !errors.Is(err, net.ErrClosed)
	if failing && !l.failing {
		l.log.Error("connections cannot be accepted", "error", err.Error())
	}
	l.failing = failing
}

// watch is the http.Server's ConnState.
func (l *connections) watch(conn net.Conn, state http.ConnState) {
	c := conn.(*clientConn)
	switch state {
	case http.StateActive:
		c.idle.Store(0)
	case http.StateIdle:
		c.idle.Store(time.Now().UnixNano())
	case http.StateClosed, http.StateHijacked:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.forget(c)
	}
}

// refuseConnection answers whatever is going to be asked. It holds nobody up: so much
// goes into the buffer of a new connection.
func refuseConnection(conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(refuseTimeout))
	body := rest.Body503(messageOverloaded)
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"+
		"Retry-After: 1\r\n%s: %s\r\nConnection: close\r\n\r\n%s", len(body), requestIDHeader, uuid.Must(uuid.NewV7()), body)
}

// awaitLeave waits for the client to go, and closes: to close at once could take the
// answer back, if the question comes after it.
func awaitLeave(conn net.Conn) {
	defer conn.Close()
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_, _ = io.Copy(io.Discard, conn)
	}
}

package server

import (
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// idleAtLeast is how long a connection is idle before it makes room for another.
	idleAtLeast = 5 * time.Second
	// lookAgain is how long none is looked for after there was none.
	lookAgain = 100 * time.Millisecond
	// fewConnections are so few that one address may have them all.
	fewConnections = 64
)

// connections bounds those of clients, and those of one address. One too many takes the
// place of one that has been idle for a while; where there is none it is answered 503
// and closed: left in the system's own line, its client would wait for ever and know
// nothing.
type connections struct {
	net.Listener
	log        *slog.Logger
	told       time.Time      // when the log said that none can be accepted
	most       int            // 0: no bound
	perAddress int            // 0: no bound
	proxies    []netip.Prefix // which have as many as they need
	refused    atomic.Int64
	refusing   chan struct{}

	mu     sync.Mutex
	open   map[*clientConn]struct{}
	of     map[string]int       // by address
	noneOf map[string]time.Time // when no idle one was found, of an address with its share or of all ("")
}

func newConnections(most, perAddress int, proxies []netip.Prefix) *connections {
	return &connections{
		most: most, perAddress: perAddress, proxies: proxies, refusing: make(chan struct{}, maxRefusals),
		open: map[*clientConn]struct{}{}, of: map[string]int{}, noneOf: map[string]time.Time{},
	}
}

// shareOfAddress is how many of so many connections one address may have.
func shareOfAddress(most int) int { return max(most/2, min(most, fewConnections)) }

// addressOf is what connections are counted by, "" for a trusted proxy.
func (l *connections) addressOf(conn net.Conn) string {
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
	switch {
	case l.perAddress > 0 && c.from != "" && l.of[c.from] >= l.perAddress:
		if !l.endIdle(c.from) {
			return false
		}
	case l.most > 0 && len(l.open) >= l.most:
		if !l.endIdle("") {
			return false
		}
	}
	l.open[c] = struct{}{}
	l.of[c.from]++
	return true
}

// endIdle ends the connection that has been idle for the longest time, of an address or
// of any for "", if it is long enough. It counts until it is closed.
func (l *connections) endIdle(from string) bool {
	if time.Since(l.noneOf[from]) < lookAgain { // there are thousands, and newcomers may be as many
		return false
	}
	for {
		var longest *clientConn
		since := time.Now().Add(-idleAtLeast).UnixNano()
		for c := range l.open {
			if idle := c.idle.Load(); idle > 0 && idle <= since && (from == "" || from == c.from) {
				longest, since = c, idle
			}
		}
		if longest == nil {
			l.noneOf[from] = time.Now()
			return false
		}
		if longest.end(since) {
			return true
		}
	}
}

// forget takes a connection out of the counts, once.
func (l *connections) forget(c *clientConn) {
	if _, open := l.open[c]; !open {
		return
	}
	delete(l.open, c)
	if l.of[c.from]--; l.of[c.from] == 0 {
		delete(l.of, c.from)
		delete(l.noneOf, c.from)
	}
}

// count is how many connections are open.
func (l *connections) count() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.open)
}

// watch is the http.Server's ConnState.
func (l *connections) watch(conn net.Conn, state http.ConnState) {
	c := conn.(*clientConn)
	switch state {
	case http.StateIdle:
		c.idle.Store(time.Now().UnixNano())
	case http.StateClosed, http.StateHijacked:
		l.mu.Lock()
		defer l.mu.Unlock()
		l.forget(c)
	}
}

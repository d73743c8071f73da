package dbtest

import (
	"net"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Proxy stands between a test and a server, and breaks the way between them. Cut
// understands PostgreSQL without TLS; all else works for any server on TCP.
type Proxy struct {
	t        testing.TB
	url      string // the upstream's
	upstream string // its HOST:PORT
	address  string
	writes   atomic.Int64

	mu       sync.Mutex
	listener net.Listener // nil while connections are refused
	frozen   bool
	cuts     []Cut
	links    map[*link]bool
}

// Cut says where a connection is to break.
type Cut struct {
	// Match is the text that the client's data must hold, such as "INSERT INTO".
	Match string
	// Times is how many matches are cut, one if it is zero.
	Times int
	// Undelivered keeps the statement from the server. Otherwise the server has
	// carried it out, and it is the reply that is lost.
	Undelivered bool
	// Partial lets all of the reply through but its last message.
	Partial bool
	// Reset ends the connection as a crash does, instead of in good order.
	Reset bool
}

// NewProxy starts a proxy to the server of a URL for as long as the test lasts.
func NewProxy(t testing.TB, upstream string) *Proxy {
	t.Helper()
	u, err := url.Parse(upstream)
	if err != nil {
		t.Fatal("the proxy's upstream is not a URL")
	}
	p := &Proxy{t: t, url: upstream, upstream: u.Host, address: "127.0.0.1:0", links: map[*link]bool{}}
	p.listen()
	t.Cleanup(p.Refuse)
	return p
}

// URL returns the upstream's URL, with the proxy in its host's place.
func (p *Proxy) URL() string { return withHost(p.t, p.url, p.address) }

// Writes returns how many times clients have sent something so far: a statement
// of one round trip is one write.
func (p *Proxy) Writes() int64 { return p.writes.Load() }

// Cut breaks the next connections whose data matches.
func (p *Proxy) Cut(c Cut) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c.Times = max(c.Times, 1)
	p.cuts = append(p.cuts, c)
}

// Freeze makes the server fall silent: connections stand and are accepted, and
// what is sent on them is swallowed, both ways.
func (p *Proxy) Freeze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frozen = true
}

// Refuse makes the server go away: connections break, and new ones are refused.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		_ = p.listener.Close()
		p.listener = nil
	}
	p.breakLinks()
}

// Restore makes the server answer again. Connections that were frozen break.
func (p *Proxy) Restore() {
	p.mu.Lock()
	if p.frozen {
		p.breakLinks()
	}
	p.frozen, p.cuts = false, nil
	refused := p.listener == nil
	p.mu.Unlock()
	if refused {
		p.listen()
	}
}

// breakLinks ends every connection. p.mu is held.
func (p *Proxy) breakLinks() {
	for l := range p.links {
		l.end(false)
	}
}

// listen opens the proxy's address, the same one each time. Meanwhile a connection of
// another process may have come by its port for a moment.
func (p *Proxy) listen() {
	listener, err := net.Listen("tcp", p.address)
	for until := time.Now().Add(5 * time.Second); err != nil && time.Now().Before(until); {
		time.Sleep(10 * time.Millisecond)
		listener, err = net.Listen("tcp", p.address)
	}
	if err != nil {
		p.t.Errorf("open the proxy: %v", err)
		return
	}
	p.mu.Lock()
	p.listener, p.address = listener, listener.Addr().String()
	p.mu.Unlock()
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
}

// cutting returns the cut that data from a client meets, if any, and counts it.
func (p *Proxy) cutting(data string) *Cut {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.cuts {
		c := &p.cuts[i]
		if c.Times > 0 && strings.Contains(data, c.Match) {
			c.Times--
			found := *c
			return &found
		}
	}
	return nil
}

// silent reports whether the proxy is frozen.
func (p *Proxy) silent() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.frozen
}

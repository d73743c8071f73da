package database

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// doubt is how long an operation may last before the other hosts are asked whether
// one of them is the primary now, and the time between two such questions.
const doubt = time.Second

// primary is what is known of which of several hosts takes writes. When another one
// is found, every connection to the one before is ended, those at work too: that
// server has stopped to be the primary, or stands still, and must not be believed.
type primary struct {
	c      *connector
	asking atomic.Bool

	mu   sync.Mutex
	term *term
}

// term is the time during which one host is the primary, as far as is known.
type term struct {
	host int // -1: none was found yet
	over context.Context
	end  context.CancelFunc
}

func newPrimary(c *connector) *primary { return &primary{c: c, term: newTerm(-1)} }

func newTerm(host int) *term {
	over, end := context.WithCancel(context.Background())
	return &term{host, over, end}
}

// now returns the term that goes on.
func (p *primary) now() *term {
	if p == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.term
}

// join lets a connection to a host that takes writes last for as long as this host's
// term, which it may begin. It returns false where another host was found since the
// connecting began: which of the two is older cannot be told then.
func (p *primary) join(conn *connection, host int, began *term) bool {
	if p == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.term.host != host {
		if p.term != began {
			return false
		}
		p.term.end()
		p.term = newTerm(host)
	}
	conn.leave = context.AfterFunc(p.term.over, conn.socket.expire)
	conn.watch = newWatch(p)
	return true
}

// ask asks the other hosts whether one of them is the primary now. Whoever comes
// while another asks leaves it to that one.
func (p *primary) ask() {
	if !p.asking.CompareAndSwap(false, true) {
		return
	}
	defer p.asking.Store(false)
	began := p.now()
	share := p.c.share(context.Background())
	for at := range p.c.hosts {
		if at == began.host {
			continue
		}
		conn, err := p.c.hosts[at].reach(context.Background(), share, 0)
		if err != nil {
			continue
		}
		if p.join(conn, at, began) {
			p.c.first.Store(int64(at))
		}
		_ = conn.Close()
		return
	}
}

// watch has a connection's operations doubt their server when they last for long. A
// server that stands still says nothing, and so does the one that has taken its place.
type watch struct {
	p     *primary
	busy  atomic.Bool
	timer *time.Timer
}

func newWatch(p *primary) *watch {
	w := &watch{p: p}
	w.timer = time.AfterFunc(doubt, w.rung)
	w.timer.Stop()
	return w
}

func (w *watch) rung() {
	if !w.busy.Load() {
		return
	}
	w.p.ask()
	if w.busy.Load() {
		w.timer.Reset(doubt)
	}
}

// begin is called when an operation begins.
func (w *watch) begin() {
	if w != nil {
		w.busy.Store(true)
		w.timer.Reset(doubt)
	}
}

// end is called when it has ended.
func (w *watch) end() {
	if w != nil {
		w.busy.Store(false)
		w.timer.Stop()
	}
}

package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// doubt is how long an operation may last before the other hosts are asked whether
// one of them is the primary now, and the time between two such questions.
const doubt = time.Second

// believed is for how long a server that said that it takes writes is believed to.
// What it says of a key is used for less than the rest of a second.
const believed = 250 * time.Millisecond

// errReplaced is told by a server that takes writes although another took its place.
var errReplaced = fmt.Errorf("%w: it takes writes, but another server was promoted in its place since: "+
	"stop it, and make it a standby", errUnreachable)

// errMoved lets database/sql look once more.
var errMoved = fmt.Errorf("%w: %w: another server was found to be the primary meanwhile", errUnreachable, driver.ErrBadConn)

// primary is what is known of which of several hosts takes writes. When another one
// is found, every connection to the one before is ended, those at work too: that
// server has stopped to be the primary, or stands still, and must not be believed.
type primary struct {
	c      *connector
	tell   func(host string)
	asking atomic.Bool

	mu     sync.Mutex
	term   *term
	newest lineage
}

// term is the time during which one host is the primary, as far as is known.
type term struct {
	host int // -1: none was found yet
	over context.Context
	end  context.CancelFunc
}

func newPrimary(c *connector, tell func(host string)) *primary {
	if tell == nil {
		tell = func(string) {}
	}
	return &primary{c: c, tell: tell, term: newTerm(-1)}
}

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
// term, which it may begin, and closes it where that is not to be: the server was
// replaced, or another one was found since the connecting began.
func (p *primary) join(ctx context.Context, share time.Duration, conn *connection, host int, began *term) error {
	if p == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, share)
	defer cancel()
	of, err := conn.lineage(ctx)
	if err == nil {
		err = p.admit(conn, of, host, began)
	}
	if err != nil {
		_ = conn.Close()
	}
	return err
}

func (p *primary) admit(conn *connection, of lineage, host int, began *term) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case of.before(p.newest):
		return errReplaced
	case p.term.host != host && p.term != began:
		return errMoved
	case p.term.host != host:
		p.term.end()
		if p.term.host >= 0 {
			p.tell(address(p.c.hosts[host].config))
		}
		p.term = newTerm(host)
	}
	if of.known() {
		p.newest = of
	}
	conn.leave = context.AfterFunc(p.term.over, conn.socket.expire)
	conn.watch = newWatch(p)
	return nil
}

// ask asks the other hosts whether one of them was promoted. Whoever comes while
// another asks leaves it to that one.
func (p *primary) ask() {
	if !p.asking.CompareAndSwap(false, true) {
		return
	}
	defer p.asking.Store(false)
	began, share := p.now(), p.c.share(context.Background())
	for at, h := range p.c.hosts {
		if at == began.host {
			continue
		}
		conn, err := h.reach(context.Background(), share)
		if err == nil && p.promoted(conn, at, began, share) {
			p.c.first.Store(int64(at))
			return
		}
	}
}

// promoted reports whether a host that takes writes is newer than the one that is
// known, and ends the connection to it. Otherwise both say that they are the primary,
// and the one that is known goes on.
func (p *primary) promoted(conn *connection, host int, began *term, share time.Duration) bool {
	defer conn.Close()
	ctx, cancel := context.WithTimeout(context.Background(), share)
	defer cancel()
	of, err := conn.lineage(ctx)
	if err != nil {
		return false
	}
	p.mu.Lock()
	newer := p.newest.before(of)
	p.mu.Unlock()
	return newer && p.admit(conn, of, host, began) == nil
}

// lineage is where a server's data comes from. Each promotion begins another timeline,
// by which a server that was replaced can be told although it takes writes.
type lineage struct {
	system   string // "" where the server does not tell
	timeline int64
}

func (l lineage) known() bool { return l.system != "" }

func (l lineage) before(other lineage) bool {
	return l.known() && l.system == other.system && l.timeline < other.timeline
}

// stillPrimary asks again whether the server takes writes, if that is some time ago. A
// server does not become a standby while a session lasts, but a pooler hands a session
// from one server to the next.
func (c *connection) stillPrimary(ctx context.Context) bool {
	if c.watch == nil || time.Since(c.asked) < believed {
		return true
	}
	_, err := c.lineage(ctx)
	return err == nil
}

// lineage asks a primary for it; a standby refuses. Who refuses for another reason, as
// a server that is hosted may, is as good as any.
func (c *connection) lineage(ctx context.Context) (of lineage, err error) {
	c.asked = time.Now()
	rows, err := c.query(ctx, `SELECT system_identifier::text, ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint FROM pg_control_system()`, nil)
	if err != nil {
		if c.IsValid() && pq.As(err, pqerror.ObjectNotInPrerequisiteState) == nil {
			return of, nil
		}
		return of, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	dest := make([]driver.Value, 2)
	err = errors.Join(rows.Next(dest), rows.Close())
	of.system, _ = dest[0].(string)
	of.timeline, _ = dest[1].(int64)
	return of, err
}

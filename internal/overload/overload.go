// Package overload bounds the work that goes on at once: so much at a time, so much
// more in line, and nobody in line for longer than a moment. What is refused is
// refused early, and had no effect.
//
// One workspace has at most three quarters of the places and of the line; the writes
// of one resource five sixths; one resource, and all writes, eleven twelfths. So what
// holds up the work of one of them leaves places to what has no part in it: to other
// workspaces at the same resource, to the reads of a resource that cannot be written,
// to writes of the others, and to reads when nothing can be written.
package overload

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// ErrShed says that work was refused because there is too much of it. Nothing of it
// was begun.
var ErrShed = errors.New("overloaded")

var (
	errFull = shed("as much work as may wait is waiting")
	errLate = shed("no place became free in time")
)

type shed string

func (s shed) Error() string { return "overloaded: " + string(s) }

func (shed) Is(target error) bool { return target == ErrShed }

// Limits of a gate.
type Limits struct {
	Places   int           // how much goes on at once, 1 or more
	Waiting  int           // how much may wait beside it; 0 is none
	Patience time.Duration // for how long
}

// Work is what asks for a place.
type Work struct {
	Workspace uuid.UUID
	Resource  string
	Write     bool // and may meet others' reads
}

// The shares, in twelfths.
const (
	ofWorkspace      = 9
	ofResourceWrites = 10
	ofResource       = 11
	ofWrites         = 11
)

// Stats are what a gate holds, and what it has refused since the start.
type Stats struct {
	Places, InWork, Waiting int
	Full, Late              int64 // refused at once; after having waited
}

// Gate lets work in. It is safe for concurrent use.
type Gate struct {
	limits Limits

	mu         sync.Mutex
	all        load
	workspaces map[uuid.UUID]*load
	resources  map[string]*load
	writes     map[string]*load // of a resource, "" for all
	line       []*waiter        // in the order in which they came
	full, late int64
}

// load is how much of something is in work, and how much of it waits.
type load struct{ inWork, waiting int }

// entry is a work and the shares that it counts on, beside that of its workspace.
type entry struct {
	workspace uuid.UUID
	shares    [4]portion
	n         int // how many there are
}

// portion is a load that may have so many twelfths.
type portion struct {
	*load
	twelfths int
}

// waiter stands in line. ready is closed when it has got its place.
type waiter struct {
	entry
	ready chan struct{}
}

// New returns a gate with nothing in it.
func New(limits Limits) *Gate {
	return &Gate{limits: limits, workspaces: map[uuid.UUID]*load{}, resources: map[string]*load{}, writes: map[string]*load{}}
}

// Enter waits for a place, and returns what gives it back, which is called once.
// Its error is an ErrShed, or that of the context if this ends first.
func (g *Gate) Enter(ctx context.Context, w Work) (leave func(), err error) {
	g.mu.Lock()
	e := g.entry(w)
	if g.fits(e) { // nobody in line would fit: all who do have been let in
		g.count(e, 1, 0)
		g.mu.Unlock()
		return func() { g.leave(e) }, nil
	}
	if !g.mayWait(e) {
		g.full++
		g.forget(e)
		g.mu.Unlock()
		return nil, errFull
	}
	in := &waiter{e, make(chan struct{})}
	g.line = append(g.line, in)
	g.count(e, 0, 1)
	g.mu.Unlock()
	if err := g.wait(ctx, in); err != nil {
		return nil, err
	}
	return func() { g.leave(e) }, nil
}

// wait returns nil once the waiter has its place.
func (g *Gate) wait(ctx context.Context, in *waiter) (err error) {
	timer := time.NewTimer(g.limits.Patience)
	defer timer.Stop()
	select {
	case <-in.ready:
		return nil
	case <-timer.C:
		err = errLate
	case <-ctx.Done():
		err = ctx.Err()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	i := slices.Index(g.line, in)
	if i < 0 { // let in at the last moment
		return nil
	}
	g.line = slices.Delete(g.line, i, i+1)
	g.count(in.entry, 0, -1)
	g.forget(in.entry)
	if errors.Is(err, ErrShed) {
		g.late++
	}
	return err
}

// leave gives a place back, and lets in who may now have one.
func (g *Gate) leave(e entry) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.count(e, -1, 0)
	g.forget(e)
	if len(g.line) == 0 {
		return
	}
	g.line = slices.DeleteFunc(g.line, func(in *waiter) bool {
		if !g.fits(in.entry) {
			return false
		}
		g.count(in.entry, 1, -1)
		close(in.ready)
		return true
	})
}

// fits reports whether there is a place for a work.
func (g *Gate) fits(e entry) bool {
	fits := g.all.inWork < g.limits.Places
	for _, p := range e.shares[:e.n] {
		fits = fits && p.inWork < share(g.limits.Places, p.twelfths)
	}
	return fits
}

// mayWait reports whether there is room in line.
func (g *Gate) mayWait(e entry) bool {
	room := g.all.waiting < g.limits.Waiting
	for _, p := range e.shares[:e.n] {
		room = room && p.waiting < share(g.limits.Waiting, p.twelfths)
	}
	return room
}

// share of n, never none.
func share(n, twelfths int) int { return max(1, n*twelfths/12) }

func (g *Gate) entry(w Work) entry {
	e := entry{workspace: w.Workspace, n: 2}
	e.shares[0] = portion{find(g.workspaces, w.Workspace), ofWorkspace}
	e.shares[1] = portion{find(g.resources, w.Resource), ofResource}
	if w.Write {
		e.n = 4
		e.shares[2] = portion{find(g.writes, w.Resource), ofResourceWrites}
		e.shares[3] = portion{find(g.writes, ""), ofWrites}
	}
	return e
}

func find[K comparable](loads map[K]*load, key K) *load {
	l := loads[key]
	if l == nil {
		l = new(load)
		loads[key] = l
	}
	return l
}

// count adds to what a work counts on.
func (g *Gate) count(e entry, inWork, waiting int) {
	g.all.inWork += inWork
	g.all.waiting += waiting
	for _, p := range e.shares[:e.n] {
		p.inWork += inWork
		p.waiting += waiting
	}
}

// forget drops the workspace of a work, if there is no other of it. Resources are
// few.
func (g *Gate) forget(e entry) {
	if *e.shares[0].load == (load{}) {
		delete(g.workspaces, e.workspace)
	}
}

// Stats returns how things stand.
func (g *Gate) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Stats{Places: g.limits.Places, InWork: g.all.inWork, Waiting: g.all.waiting, Full: g.full, Late: g.late}
}

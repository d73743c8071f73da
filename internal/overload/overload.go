// Package overload bounds the work that goes on at once: so much at a time, so much
// more in line, and nobody in line for longer than a moment. What is refused is
// refused early, and had no effect.
//
// What belongs together has a share of the places and of the line, smaller than that
// of what it is a part of: the writes of a workspace to one resource, all that it does
// with the resource, all its writes, all it does; and so for all workspaces together.
// What holds up one of them leaves places to whatever has no part in it: to other
// workspaces at the same resource, to the reads of a resource that cannot be written,
// to the workspace's other resources, and to reads when nothing can be written.
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

// Limits of a gate, or of a budget.
type Limits struct {
	Places   int           // how much goes on at once, 1 or more
	Waiting  int           // how much may wait beside it; 0 is none
	Patience time.Duration // for how long
}

// Work is what asks for a place.
type Work struct {
	Workspace uuid.UUID // or whatever else is to leave places to its like
	Resource  string    // "": none
	Write     bool      // and may meet others' reads
}

// part is some of the work: that of a workspace, or of all for the zero one; with a
// resource, or with all for ""; its writes, or all of it.
type part struct {
	workspace uuid.UUID
	resource  string
	writes    bool
}

// The shares of the parts that a work belongs to, in twelfths: of the line, and of the
// places where these are few. Of more than 12 places each has all but one for each
// twelfth that it lacks.
const (
	ofWorkspaceResourceWrites = 7
	ofWorkspaceResource       = 8
	ofWorkspaceWrites         = 8
	ofWorkspace               = 9
	ofResourceWrites          = 10
	ofResource                = 11
	ofWrites                  = 11

	mostShares = 7
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
	all        load // of everything
	parts      map[part]*load
	line       []*waiter // in the order in which they came
	full, late int64
}

// load is how much of something is in work, and how much of it waits.
type load struct {
	inWork, waiting int
	of              part
	twelfths        int // its share
}

// entry is what a work counts on.
type entry struct {
	loads [mostShares]*load
	n     int // how many there are
}

// keptParts is how many parts are kept though nothing is left of them: they are
// asked for again soon.
const keptParts = 256

// waiter stands in line. ready is closed when it has got its place.
type waiter struct {
	entry
	ready chan struct{}
}

// New returns a gate with nothing in it.
func New(limits Limits) *Gate {
	return &Gate{limits: limits, parts: map[part]*load{}}
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
	for _, p := range e.loads[:e.n] {
		fits = fits && p.inWork < placesOf(g.limits.Places, p.twelfths)
	}
	return fits
}

// mayWait reports whether there is room in line.
func (g *Gate) mayWait(e entry) bool {
	room := g.all.waiting < g.limits.Waiting
	for _, p := range e.loads[:e.n] {
		room = room && p.waiting < share(g.limits.Waiting, p.twelfths)
	}
	return room
}

// placesOf is a share of n places. What is held up must leave a few to others, who do
// not hold them for long; the more there are, the less of them lies idle.
func placesOf(n, twelfths int) int {
	return max(share(n, twelfths), n-max(1, n/24)*(12-twelfths))
}

// share of n, never none.
func share(n, twelfths int) int { return max(1, n*twelfths/12) }

func (g *Gate) entry(w Work) entry {
	var e entry
	g.add(&e, part{workspace: w.Workspace}, ofWorkspace)
	if w.Resource == "" {
		return e
	}
	g.add(&e, part{workspace: w.Workspace, resource: w.Resource}, ofWorkspaceResource)
	g.add(&e, part{resource: w.Resource}, ofResource)
	if w.Write {
		g.add(&e, part{w.Workspace, w.Resource, true}, ofWorkspaceResourceWrites)
		g.add(&e, part{workspace: w.Workspace, writes: true}, ofWorkspaceWrites)
		g.add(&e, part{resource: w.Resource, writes: true}, ofResourceWrites)
		g.add(&e, part{writes: true}, ofWrites)
	}
	return e
}

// add has a work count on a part.
func (g *Gate) add(e *entry, of part, twelfths int) {
	l := g.parts[of]
	if l == nil {
		l = &load{of: of, twelfths: twelfths}
		g.parts[of] = l
	}
	e.loads[e.n] = l
	e.n++
}

// count adds to what a work counts on.
func (g *Gate) count(e entry, inWork, waiting int) {
	g.all.inWork += inWork
	g.all.waiting += waiting
	for _, p := range e.loads[:e.n] {
		p.inWork += inWork
		p.waiting += waiting
	}
}

// forget drops what a work counted on, if there is no other of it, once there are many.
func (g *Gate) forget(e entry) {
	if len(g.parts) <= keptParts {
		return
	}
	for _, p := range e.loads[:e.n] {
		if p.inWork == 0 && p.waiting == 0 {
			delete(g.parts, p.of)
		}
	}
}

// Stats returns how things stand.
func (g *Gate) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	return Stats{Places: g.limits.Places, InWork: g.all.inWork, Waiting: g.all.waiting, Full: g.full, Late: g.late}
}

package overload

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// ofLine is how much of the line for a budget one workspace has, in eighths.
const ofLine = 3

// Budget bounds how much of something is held at once, in units of which a work takes as
// many as it needs. One workspace holds no more than it leaves to all others: however
// many have taken theirs, there is some for the next. It is safe for concurrent use.
type Budget struct {
	limits Limits // its places are the units

	mu         sync.Mutex
	units      int // held by all
	waiting    int
	of         map[uuid.UUID]*held
	changed    chan struct{} // closed when something was given back, or somebody has left the line
	full, late int64
}

// held is what a workspace holds, and its works that wait, in the order in which they came.
type held struct {
	units int
	line  []*int // how many units each wants
}

// NewBudget returns one of which nothing is held.
func NewBudget(limits Limits) *Budget {
	return &Budget{limits: limits, of: map[uuid.UUID]*held{}, changed: make(chan struct{})}
}

// Take waits for n units, and returns what gives them back, which is called once. Its
// error is an ErrShed, or that of the context if this ends first. More than half of all
// counts as that, so that it can be had while nobody else holds any.
func (b *Budget) Take(ctx context.Context, workspace uuid.UUID, n int) (giveBack func(), err error) {
	n = min(n, b.limits.Places/2)
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.of[workspace]
	if own == nil {
		own = &held{}
		b.of[workspace] = own
	}
	defer b.forget(workspace)
	if len(own.line) > 0 || !b.fits(own, n) {
		if err := b.wait(ctx, own, n); err != nil {
			return nil, err
		}
	}
	b.count(own, n)
	return func() { b.giveBack(workspace, own, n) }, nil
}

// wait returns nil once n units are there. The lock is held before and after.
func (b *Budget) wait(ctx context.Context, own *held, n int) error {
	if b.waiting >= b.limits.Waiting || len(own.line) >= max(1, b.limits.Waiting*ofLine/8) {
		b.full++
		return errFull
	}
	place := &n
	own.line = append(own.line, place)
	b.waiting++
	defer func() {
		own.line = slices.DeleteFunc(own.line, func(p *int) bool { return p == place })
		b.waiting--
		b.wake()
	}()
	timer := time.NewTimer(b.limits.Patience)
	defer timer.Stop()
	for own.line[0] != place || !b.fits(own, n) {
		changed := b.changed
		b.mu.Unlock()
		var err error
		var late int64
		select {
		case <-changed:
		case <-timer.C:
			err, late = errLate, 1
		case <-ctx.Done():
			err = ctx.Err()
		}
		b.mu.Lock()
		b.late += late
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Budget) giveBack(workspace uuid.UUID, own *held, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(own, -n)
	b.forget(workspace)
	b.wake()
}

// wake has all who wait look again.
func (b *Budget) wake() {
	close(b.changed)
	b.changed = make(chan struct{})
}

// fits reports whether n units are there, of which the workspace then has no more than
// are left.
func (b *Budget) fits(own *held, n int) bool {
	return own.units+n <= b.limits.Places-b.units-n
}

func (b *Budget) count(own *held, units int) {
	b.units += units
	own.units += units
}

// forget drops who holds nothing, and waits for nothing.
func (b *Budget) forget(workspace uuid.UUID) {
	if own := b.of[workspace]; own != nil && own.units == 0 && len(own.line) == 0 {
		delete(b.of, workspace)
	}
}

// Stats returns how things stand.
func (b *Budget) Stats() Stats {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Stats{Places: b.limits.Places, InWork: b.units, Waiting: b.waiting, Full: b.full, Late: b.late}
}

package overload

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
)

// ofBudget is how much of a budget, and of those who wait for it, one workspace has, in
// eighths.
const ofBudget = 3

// Budget bounds how much of something is held at once, in units of which a work takes as
// many as it needs. It is safe for concurrent use.
type Budget struct {
	limits Limits // its places are the units

	mu      sync.Mutex
	all     held
	of      map[uuid.UUID]*held
	changed chan struct{} // closed when something was given back
}

// held is what one holds, and how many of its works wait.
type held struct{ units, waiting int }

// NewBudget returns one of which nothing is held.
func NewBudget(limits Limits) *Budget {
	return &Budget{limits: limits, of: map[uuid.UUID]*held{}, changed: make(chan struct{})}
}

// Take waits for n units, and returns what gives them back, which is called once. Its
// error is an ErrShed, or that of the context if this ends first. More than the share of a
// workspace counts as that, so that it can be had by who holds nothing else.
func (b *Budget) Take(ctx context.Context, workspace uuid.UUID, n int) (giveBack func(), err error) {
	n = min(n, b.share(b.limits.Places))
	b.mu.Lock()
	defer b.mu.Unlock()
	own := b.of[workspace]
	if own == nil {
		own = &held{}
		b.of[workspace] = own
	}
	defer b.forget(workspace)
	if !b.fits(own, n) {
		if err := b.wait(ctx, own, n); err != nil {
			return nil, err
		}
	}
	b.count(own, n, 0)
	return func() { b.giveBack(workspace, own, n) }, nil
}

// wait returns nil once n units are there. The lock is held before and after.
func (b *Budget) wait(ctx context.Context, own *held, n int) error {
	if b.all.waiting >= b.limits.Waiting || own.waiting >= b.share(b.limits.Waiting) {
		return errFull
	}
	b.count(own, 0, 1)
	defer b.count(own, 0, -1)
	timer := time.NewTimer(b.limits.Patience)
	defer timer.Stop()
	for !b.fits(own, n) {
		changed := b.changed
		b.mu.Unlock()
		var err error
		select {
		case <-changed:
		case <-timer.C:
			err = errLate
		case <-ctx.Done():
			err = ctx.Err()
		}
		b.mu.Lock()
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *Budget) giveBack(workspace uuid.UUID, own *held, n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.count(own, -n, 0)
	b.forget(workspace)
	close(b.changed)
	b.changed = make(chan struct{})
}

// fits reports whether n units are there.
func (b *Budget) fits(own *held, n int) bool {
	return b.all.units+n <= b.limits.Places && own.units+n <= b.share(b.limits.Places)
}

// share is what one workspace has of something.
func (b *Budget) share(of int) int { return max(1, of*ofBudget/8) }

func (b *Budget) count(own *held, units, waiting int) {
	for _, h := range []*held{&b.all, own} {
		h.units += units
		h.waiting += waiting
	}
}

// forget drops who holds nothing, and waits for nothing.
func (b *Budget) forget(workspace uuid.UUID) {
	if own := b.of[workspace]; own != nil && *own == (held{}) {
		delete(b.of, workspace)
	}
}

package database

import (
	"context"
	"slices"
	"sync"
)

// turn is the right to write, which one goroutine holds at a time. Those that wait
// are served in the order in which they came; database/sql, which would queue them
// otherwise, picks one at random. Who holds the turn may do the work of those next
// in line for them (see together.go).
type turn struct {
	mu   sync.Mutex
	held bool
	line []*place
}

// place is where a goroutine stands in line.
type place struct {
	write *write    // what it wants done, nil if it wants the turn itself
	ready chan bool // true hands it the turn, false tells that its write is done
}

// take waits for the turn until ctx ends. With a write it may come back without the
// turn: then another has run the write and left its outcome there. Who gets the
// turn gives it.
func (t *turn) take(ctx context.Context, w *write) (mine bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	t.mu.Lock()
	if !t.held {
		t.held = true
		t.mu.Unlock()
		return true, nil
	}
	p := &place{write: w, ready: make(chan bool, 1)}
	t.line = append(t.line, p)
	t.mu.Unlock()
	select {
	case mine = <-p.ready:
		return mine, nil
	case <-ctx.Done():
	}
	if t.leave(p) {
		return false, ctx.Err()
	}
	if mine = <-p.ready; mine {
		t.give()
		return false, ctx.Err()
	}
	return false, nil
}

// leave takes p out of the line, unless it has been served.
func (t *turn) leave(p *place) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	i := slices.Index(t.line, p)
	if i >= 0 {
		t.line = slices.Delete(t.line, i, i+1)
	}
	return i >= 0
}

// give hands the turn to the next in line.
func (t *turn) give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.line) == 0 {
		t.held = false
		return
	}
	t.shift().ready <- true
}

// waiting reports whether the next in line is a write that can be done for it.
func (t *turn) waiting() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.line) > 0 && t.line[0].write != nil
}

// next takes the next in line out of it, if it is a write. Who called does the
// write, and must tell the place when it is done.
func (t *turn) next() *place {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.line) == 0 || t.line[0].write == nil {
		return nil
	}
	return t.shift()
}

func (t *turn) shift() *place {
	p := t.line[0]
	t.line = slices.Delete(t.line, 0, 1)
	return p
}

package server

import (
	"log/slog"
	"sync"
	"time"
)

// breakerPause is how long Redis is left alone after it failed, and after each
// probe that failed too.
const breakerPause = 2 * time.Second

// breaker keeps requests from waiting for a Redis that does not count.
//
// It is closed while Redis is well. One error opens it, of whatever kind: a
// Redis that is loading, out of memory or read-only cannot count either. Once
// the pause is over, one request at a time is let through as a probe, and its
// success closes the breaker. Each change of state is logged once.
type breaker struct {
	pause time.Duration
	log   *slog.Logger

	mu    sync.Mutex
	open  bool
	turn  uint64    // the changes of state so far
	retry time.Time // while open: when the next probe may go
}

// begin tells whether Redis may be asked now. Only a question that writes may
// be the probe. The turn goes to end, with the outcome.
func (b *breaker) begin(probe bool) (turn uint64, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.open {
		return b.turn, true
	}
	if now := time.Now(); probe && !now.Before(b.retry) {
		b.retry = now.Add(b.pause)
		return b.turn, true
	}
	return b.turn, false
}

// end takes the outcome of a question. One that was asked before the last
// change of state says nothing about the present one.
func (b *breaker) end(turn uint64, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if turn != b.turn {
		return
	}
	if err != nil {
		b.retry = time.Now().Add(b.pause)
	}
	if failed := err != nil; failed == b.open {
		return
	}
	b.open = !b.open
	b.turn++
	if b.open { // as a string: the limiter's errors would be logged with their stack
		b.log.Warn("Redis does not count: the rate ceilings are counted in this process alone", "error", err.Error())
	} else {
		b.log.Info("Redis is back: the rate ceilings are shared again")
	}
}

func (b *breaker) isOpen() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.open
}

package server

import (
	"context"
	"time"

	"github.com/ulule/limiter/v3"
)

// counter keeps one count for each id and window. An id begins with the name
// of its ceiling.
type counter interface {
	// peek reads the count. A window that has not begun has a whole period to go.
	peek(ctx context.Context, id string, rate limiter.Rate) (tally, error)
	// count adds one, and begins the window where none is running.
	count(ctx context.Context, id string, rate limiter.Rate) (tally, error)
	// uncount takes one off, never below 0 and never from a window that is over.
	uncount(ctx context.Context, id string, rate limiter.Rate) error
}

// tally is the count of a window, set against its limit.
type tally struct {
	remaining int64 // never below 0
	over      bool  // more were counted than the limit
	reset     time.Duration
}

// newTally sets a count against its limit. The time left is held between 0 and
// the period, which a clock that was set can leave.
func newTally(n int64, left time.Duration, rate limiter.Rate) tally {
	return tally{
		remaining: max(0, rate.Limit-n),
		over:      n > rate.Limit,
		reset:     min(max(0, left), rate.Period),
	}
}

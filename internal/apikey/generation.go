package apikey

import (
	"context"
	"time"

	"records/ent/rule"
)

const (
	// refreshEvery is how old the last reading of the generation may be before the
	// next request has it read again. Without requests nothing is read.
	refreshEvery = 350 * time.Millisecond
	// refreshTimeout bounds one reading, which requests may wait for.
	refreshTimeout = 500 * time.Millisecond
)

// reading is what was last read of the keys' generation (see ent/schema/keygeneration.go).
type reading struct {
	generation string    // "" before the first one
	asked      time.Time // before the question went out that was answered
	tried      time.Time // when the last one was asked that was answered, or failed
}

func (r *reading) due(arrived time.Time) bool { return arrived.Sub(r.tried) >= refreshEvery }

// refresh reads the generation. One that cannot be read is tried again later; the
// last one stands until then, and answers under it hold as long as they do.
func (a *Authenticator) refresh() {
	ctx, cancel := context.WithTimeout(rule.AsOperator(context.Background()), refreshTimeout)
	defer cancel()
	next, asked := *a.last.Load(), time.Now()
	if !next.due(asked) { // another was quicker
		return
	}
	if row, err := a.client.KeyGeneration.Query().Only(ctx); err == nil {
		next = reading{row.Generation, asked, asked}
	} else {
		next.tried = time.Now()
	}
	a.last.Store(&next)
}

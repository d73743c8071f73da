package server

import (
	"context"
	"time"

	"github.com/ulule/limiter/v3"
)

// attempts is how many of a kind may be made, in the developer area. Those on an
// account are few, and still far more than a person needs.
var attempts = map[string]limiter.Rate{
	"address":  {Period: time.Minute, Limit: 10},      // to sign in, from one address
	"account":  {Period: 15 * time.Minute, Limit: 10}, // to sign in as one user
	"provider": {Period: time.Minute, Limit: 60},      // to be sent to the identity provider, from one address
}

// attempt counts an attempt of a kind. It is not ok when it is one too many: then
// wait is how long until the next may be made.
func (c *ceilings) attempt(ctx context.Context, kind, id string) (wait time.Duration, ok bool) {
	rate := attempts[kind]
	if kind == "page" { // as many as an address may ask of the API
		rate = c.perIP
	}
	made := c.count(ctx, kind, attemptID(kind, id), rate)
	return time.Duration(made.seconds()) * time.Second, !made.reached
}

// forgive takes an attempt back that succeeded.
func (c *ceilings) forgive(ctx context.Context, kind, id string) {
	c.ask(false, func(k counter) (tally, error) { return tally{}, k.uncount(ctx, attemptID(kind, id), attempts[kind]) })
}

func attemptID(kind, id string) string { return "attempt:" + kind + ":" + id }

package server

import (
	"context"
	"log/slog"
	"net/netip"
	"sync/atomic"
	"time"

	"github.com/ulule/limiter/v3"
)

// ceilingPeriod is the length of a window. It begins with the first request
// that is counted in it, so that every caller has its own.
const ceilingPeriod = time.Minute

// ceilings counts requests against the two ceilings: one for a key, one for an
// address.
//
// The counters are in process or in Redis, where all replicas share them. A
// Redis that does not answer never refuses a request: counting goes on in
// process, each replica by itself, until Redis is back.
type ceilings struct {
	perKey, perIP limiter.Rate // a limit of 0: off
	local         *memoryCounter
	shared        *redisCounter // nil: everything is counted in process
	breaker       *breaker      // of shared
	fellBack      atomic.Int64
}

// stand is where a caller stands on one ceiling.
type stand struct {
	name      string        // key or ip
	limit     int64         // requests a window
	remaining int64         // never below 0
	reset     time.Duration // until the window ends: at least that, with Redis up to a second more
	reached   bool          // this request must be refused
	off       bool          // there is no such ceiling; name alone is set
}

// newCeilings makes the two ceilings, in requests a minute; 0 turns one off.
// The store is "memory" or the URL of a Redis. The URL must be a good one, and
// an error does not show it; that Redis is down is no error.
func newCeilings(perKey, perIP int, store string, log *slog.Logger) (*ceilings, error) {
	c := &ceilings{
		perKey:  limiter.Rate{Period: ceilingPeriod, Limit: int64(perKey)},
		perIP:   limiter.Rate{Period: ceilingPeriod, Limit: int64(perIP)},
		breaker: &breaker{pause: breakerPause, log: log},
	}
	if store != "memory" {
		shared, err := newRedisCounter(store)
		if err != nil {
			return nil, err
		}
		c.shared = shared
	}
	c.local = newMemoryCounter()
	if c.shared != nil && perKey+perIP > 0 {
		c.connect()
	}
	return c, nil
}

// connect looks whether Redis is there, so that the log says so at the start
// and no request has to wait for the answer.
func (c *ceilings) connect() {
	turn, _ := c.breaker.begin(true)
	_, err := c.shared.connected()
	c.breaker.end(turn, err)
}

// close ends the connections to Redis.
func (c *ceilings) close() error {
	if c.shared == nil {
		return nil
	}
	return c.shared.client.Close()
}

// peekIP is where an address stands, without counting. It is reached when
// nothing is left for the request at hand.
func (c *ceilings) peekIP(ctx context.Context, ip netip.Addr) stand {
	return c.peek(ctx, "ip", ipID(ip), c.perIP)
}

// peekKey is where a key stands, without counting.
func (c *ceilings) peekKey(ctx context.Context, keyID string) stand {
	return c.peek(ctx, "key", "key:"+keyID, c.perKey)
}

func (c *ceilings) peek(ctx context.Context, name, id string, rate limiter.Rate) stand {
	if rate.Limit == 0 {
		return stand{name: name, off: true}
	}
	// Not a probe: a Redis that cannot be written to can still be read.
	t := c.ask(false, func(k counter) (tally, error) { return k.peek(ctx, id, rate) })
	return stand{name: name, limit: rate.Limit, remaining: t.remaining, reset: t.reset, reached: t.remaining == 0}
}

// countIP counts a request on its address. It is reached when the request is
// one too many: with a limit of N exactly N in a window are not.
func (c *ceilings) countIP(ctx context.Context, ip netip.Addr) stand {
	return c.count(ctx, "ip", ipID(ip), c.perIP)
}

// countKey counts a request on its key, as countIP does on its address, unless it is
// one too many: those before it may yet be given back, and then leave room. The id
// is that of the key, never its token.
func (c *ceilings) countKey(ctx context.Context, keyID string) stand {
	key := c.count(ctx, "key", "key:"+keyID, c.perKey)
	if key.reached {
		c.uncountKey(ctx, keyID)
	}
	return key
}

func (c *ceilings) count(ctx context.Context, name, id string, rate limiter.Rate) stand {
	if rate.Limit == 0 {
		return stand{name: name, off: true}
	}
	t := c.ask(true, func(k counter) (tally, error) { return k.count(ctx, id, rate) })
	return stand{name: name, limit: rate.Limit, remaining: t.remaining, reset: t.reset, reached: t.over}
}

// uncountKey gives a key back the request that countKey just counted, because it is
// refused. Where the key's window ended in between, the next one is given back
// instead, or nothing.
func (c *ceilings) uncountKey(ctx context.Context, keyID string) {
	if c.perKey.Limit == 0 {
		return
	}
	c.ask(false, func(k counter) (tally, error) { return tally{}, k.uncount(ctx, "key:"+keyID, c.perKey) })
}

// ask asks the shared counter while it is well, else the one in process. With
// probe, the question may be the one that finds out whether Redis is back.
func (c *ceilings) ask(probe bool, question func(counter) (tally, error)) tally {
	if c.shared != nil {
		if turn, ok := c.breaker.begin(probe); ok {
			t, err := question(c.shared)
			c.breaker.end(turn, err)
			if err == nil {
				return t
			}
		}
		c.fellBack.Add(1)
	}
	t, _ := question(c.local) // which knows no errors
	return t
}

// degraded tells whether a shared store is set but counting goes on in process.
func (c *ceilings) degraded() bool { return c.breaker.isOpen() }

// fallbacks is how often, since the start, the counter in process stood in for
// the shared one. One request asks up to three times.
func (c *ceilings) fallbacks() int64 { return c.fellBack.Load() }

func ipID(ip netip.Addr) string { return "ip:" + ceilingKey(ip) }

package server

import (
	"context"
	"crypto/rand"
	"sync"
	"testing"
	"time"
)

// testPause stands in for breakerPause, to keep the tests short.
const testPause = 100 * time.Millisecond

// throughProxy makes ceilings whose Redis can be taken away. It is there at first.
func throughProxy(t *testing.T, perKey, perIP int) (*ceilings, *redisProxy, *logBuffer) {
	t.Helper()
	p := newRedisProxy(t)
	p.up()
	c, log := testCeilings(t, perKey, perIP, p.url())
	c.breaker.pause = testPause
	if c.degraded() {
		t.Fatal("Redis cannot be reached through the proxy")
	}
	return c, p, log
}

// awaitUse counts on other keys until Redis is in use again.
func (p *redisProxy) awaitUse(c *ceilings) {
	p.t.Helper()
	for end := time.Now().Add(10 * time.Second); c.degraded(); {
		if time.Now().After(end) {
			p.t.Fatal("Redis is back, and not used")
		}
		time.Sleep(testPause / 4)
		c.countKey(context.Background(), rand.Text())
	}
}

func TestRedisGoesAndComesBack(t *testing.T) {
	c, p, log := throughProxy(t, 2, 2)
	key, ip, ctx := rand.Text(), anIP(), t.Context()
	c.countKey(ctx, key)
	c.countIP(ctx, ip)

	p.down()
	begin := time.Now()
	for i := range 3 { // counting begins anew, in process, and is as exact
		if s := c.countKey(ctx, key); s.reached != (i == 2) || s.remaining != int64(max(0, 1-i)) {
			t.Errorf("while Redis is away, request %d: %+v", i+1, s)
		}
		c.countIP(ctx, ip)
	}
	if s := c.peekIP(ctx, ip); !s.reached || s.remaining != 0 {
		t.Errorf("while Redis is away: %+v", s)
	}
	c.uncountKey(ctx, key)
	if took := time.Since(begin); took > 3*redisTimeout {
		t.Errorf("requests waited %s for a Redis that is away", took)
	}
	if !c.degraded() || c.fallbacks() != 9 { // the request that is refused asks twice
		t.Errorf("degraded %v, %d fallbacks, want 9", c.degraded(), c.fallbacks())
	}

	p.up()
	p.awaitUse(c)
	fallbacks := c.fallbacks()
	if s := c.countKey(ctx, key); s.remaining != 0 || s.reached { // as Redis remembers it
		t.Errorf("Redis is back: %+v", s)
	}
	if c.fallbacks() != fallbacks {
		t.Error("Redis is back, and not used")
	}
	if log.count("does not count") != 1 || log.count("is back") != 1 || log.count("\n") != 2 {
		t.Errorf("the log: %s", log.String())
	}
}

func TestRedisDownAtTheStart(t *testing.T) {
	p := newRedisProxy(t)
	begin := time.Now()
	c, log := testCeilings(t, 1, 1, p.url())
	c.breaker.pause = testPause
	if took := time.Since(begin); took > 2*time.Second {
		t.Errorf("the start waited %s for Redis", took)
	}
	if !c.degraded() || log.count("does not count") != 1 {
		t.Error("it is not said that Redis is down")
	}
	key := rand.Text()
	if c.countKey(t.Context(), key).reached || !c.countKey(t.Context(), key).reached {
		t.Error("no exact count in process")
	}
	time.Sleep(testPause)
	p.up()
	c.breaker.mu.Lock()
	c.breaker.retry = time.Time{} // whatever pause the start began with
	c.breaker.mu.Unlock()
	p.awaitUse(c)
	if c.countKey(t.Context(), key).reached {
		t.Error("the count in process is carried over")
	}
	if log.count("is back") != 1 {
		t.Error("it is not said that Redis is back")
	}
}

// A Redis that takes connections and says nothing costs one short wait.
func TestRedisHangs(t *testing.T) {
	c, p, _ := throughProxy(t, 100, 0)
	c.breaker.pause = time.Minute
	p.answerWith(func([]byte) []byte { return []byte{} })
	begin := time.Now()
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { c.countKey(t.Context(), "k") })
	}
	group.Wait()
	if took := time.Since(begin); took > 10*redisTimeout {
		t.Errorf("requests waited %s", took)
	}
	begin = time.Now()
	for range 20 {
		c.countKey(t.Context(), "k")
	}
	if took := time.Since(begin); took > 10*redisTimeout {
		t.Errorf("requests wait %s after the breaker has opened", took)
	}
	if !c.degraded() || c.fallbacks() != 40 {
		t.Errorf("degraded %v, %d fallbacks, want 40", c.degraded(), c.fallbacks())
	}
}

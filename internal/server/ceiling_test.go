package server

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/internal/programtest"
)

// logBuffer is a log that a test can read while it is written.
type logBuffer struct{ programtest.Output }

func (l *logBuffer) count(part string) int { return strings.Count(l.String(), part) }

// testCeilings makes ceilings that are closed when the test ends.
func testCeilings(t *testing.T, perKey, perIP int, store string) (*ceilings, *logBuffer) {
	t.Helper()
	log := &logBuffer{}
	c, err := newCeilings(perKey, perIP, store, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.close() })
	return c, log
}

// anIP is an address in a /64 that no other test uses.
func anIP() netip.Addr {
	b := [16]byte{0x20, 0x01, 0x0d, 0xb8}
	_, _ = rand.Read(b[4:])
	return netip.AddrFrom16(b)
}

// onEachStore runs a test on each store. The function gives one ceilings after
// another that share what the store shares: Redis among all, memory only with itself.
func onEachStore(t *testing.T, perKey, perIP int, test func(t *testing.T, first, second *ceilings)) {
	t.Run("memory", func(t *testing.T) {
		c, _ := testCeilings(t, perKey, perIP, "memory")
		test(t, c, c)
	})
	t.Run("redis", func(t *testing.T) {
		first, _ := testCeilings(t, perKey, perIP, redisURL(t))
		second, _ := testCeilings(t, perKey, perIP, redisURL(t))
		test(t, first, second)
		if first.fallbacks()+second.fallbacks() > 0 {
			t.Error("Redis did not answer each time: the test shows nothing about it")
		}
	})
}

func TestExactlyTheLimitPasses(t *testing.T) {
	onEachStore(t, 3, 2, func(t *testing.T, first, second *ceilings) {
		key, ip, ctx := rand.Text(), anIP(), t.Context()
		for i, c := range []*ceilings{first, second, first, second, first} {
			s := c.countKey(ctx, key)
			if want := int64(max(0, 2-i)); s.remaining != want || s.reached != (i >= 3) || s.limit != 3 || s.name != "key" {
				t.Errorf("key, request %d: %+v", i+1, s)
			}
			if s.reset <= 55*time.Second || s.reset > time.Minute {
				t.Errorf("key, request %d: %s to go", i+1, s.reset)
			}
			a := c.countIP(ctx, ip)
			if want := int64(max(0, 1-i)); a.remaining != want || a.reached != (i >= 2) || a.limit != 2 || a.name != "ip" {
				t.Errorf("address, request %d: %+v", i+1, a)
			}
		}
	})
}

func TestExactlyTheLimitPassesAtOnce(t *testing.T) {
	const limit, workers, each = 100, 8, 30
	onEachStore(t, limit, limit, func(t *testing.T, first, second *ceilings) {
		key, ip := rand.Text(), anIP()
		var keys, ips atomic.Int64
		var group sync.WaitGroup
		for i := range workers {
			c := []*ceilings{first, second}[i%2]
			group.Go(func() {
				for range each {
					if !c.countKey(context.Background(), key).reached {
						keys.Add(1)
					}
					if !c.countIP(context.Background(), ip).reached {
						ips.Add(1)
					}
				}
			})
		}
		group.Wait()
		if keys.Load() != limit || ips.Load() != limit {
			t.Errorf("%d and %d passed, want %d", keys.Load(), ips.Load(), limit)
		}
	})
}

func TestPeekCountsNothing(t *testing.T) {
	onEachStore(t, 0, 2, func(t *testing.T, first, second *ceilings) {
		ip, ctx := anIP(), t.Context()
		for range 5 {
			if s := first.peekIP(ctx, ip); s.remaining != 2 || s.reached || s.seconds() != 60 || s.off {
				t.Fatalf("fresh: %+v", s)
			}
		}
		first.countIP(ctx, ip)
		if s := second.peekIP(ctx, ip); s.remaining != 1 || s.reached {
			t.Errorf("after one: %+v", s)
		}
		if s := second.countIP(ctx, ip); s.remaining != 0 || s.reached {
			t.Errorf("the last one: %+v", s)
		}
		// Nothing is left for the next request: it is refused without being counted.
		if s := first.peekIP(ctx, ip); s.remaining != 0 || !s.reached {
			t.Errorf("after two: %+v", s)
		}
	})
}

func TestOneAddressIsOneSlash64(t *testing.T) {
	onEachStore(t, 0, 1, func(t *testing.T, first, _ *ceilings) {
		ip := anIP()
		first.countIP(t.Context(), ip)
		if !first.countIP(t.Context(), netip.PrefixFrom(ip, 64).Masked().Addr()).reached {
			t.Error("another address of the same /64 has a count of its own")
		}
		if first.countIP(t.Context(), anIP()).reached {
			t.Error("another /64 shares the count")
		}
	})
}

// A request that the key's ceiling refuses takes up no room: if one that passed it is
// given back, because the address refuses it, another passes.
func TestRefusedRequestsLeaveRoom(t *testing.T) {
	t.Parallel()
	onEachStore(t, 2, 0, func(t *testing.T, first, second *ceilings) {
		id := uuid.NewString()
		for i, reached := range []bool{false, false, true, true} {
			if key := first.countKey(t.Context(), id); key.reached != reached {
				t.Errorf("request %d: %+v", i+1, key)
			}
		}
		second.uncountKey(t.Context(), id)
		for i, reached := range []bool{false, true} {
			if key := second.countKey(t.Context(), id); key.reached != reached {
				t.Errorf("after one was given back, request %d: %+v", i+1, key)
			}
		}
	})
}

package server

import (
	"crypto/rand"
	"log/slog"
	"strings"
	"testing"
	"time"
)

func TestUncountGivesOneBack(t *testing.T) {
	onEachStore(t, 2, 0, func(t *testing.T, first, second *ceilings) {
		key, ctx := rand.Text(), t.Context()
		first.countKey(ctx, key)
		first.countKey(ctx, key)
		second.uncountKey(ctx, key)
		if s := first.countKey(ctx, key); s.reached || s.remaining != 0 {
			t.Errorf("after one was given back: %+v", s)
		}
		if s := first.countKey(ctx, key); !s.reached {
			t.Errorf("one was given back, two passed: %+v", s)
		}
	})
}

func TestUncountNeverGivesMore(t *testing.T) {
	onEachStore(t, 2, 0, func(t *testing.T, first, _ *ceilings) {
		key, ctx := rand.Text(), t.Context()
		for range 3 {
			first.uncountKey(ctx, key) // of a window that never began
		}
		first.countKey(ctx, key)
		for range 3 {
			first.uncountKey(ctx, key)
		}
		passed := 0
		for range 5 {
			if !first.countKey(ctx, key).reached {
				passed++
			}
		}
		if passed != 2 {
			t.Errorf("%d passed, want 2", passed)
		}
	})
}

func TestWindowEnds(t *testing.T) {
	onEachStore(t, 2, 0, func(t *testing.T, first, _ *ceilings) {
		first.perKey.Period = 3 * time.Second
		key, ctx, begin := rand.Text(), t.Context(), time.Now()
		passed := 0
		for time.Since(begin) < 2*time.Second { // refused requests do not prolong it
			if !first.countKey(ctx, key).reached {
				passed++
			}
			time.Sleep(100 * time.Millisecond)
		}
		if passed != 2 {
			t.Errorf("%d passed in one window, want 2", passed)
		}
		time.Sleep(time.Until(begin.Add(3100 * time.Millisecond)))
		first.uncountKey(ctx, key) // too late: nothing is given back to the next window
		for i := range 3 {
			if s := first.countKey(ctx, key); s.reached != (i == 2) {
				t.Errorf("next window, request %d: %+v", i+1, s)
			}
		}
	})
}

func TestCeilingsThatAreOff(t *testing.T) {
	// With both off, even a Redis that is not there makes no difference.
	for _, store := range []string{"memory", "redis://127.0.0.1:1"} {
		c, log := testCeilings(t, 0, 0, store)
		ip, ctx := anIP(), t.Context()
		for range 3 {
			for _, s := range []stand{c.peekIP(ctx, ip), c.countIP(ctx, ip), c.countKey(ctx, "k")} {
				if !s.off || s.reached || s.name == "" {
					t.Errorf("%s: %+v", store, s)
				}
			}
		}
		c.uncountKey(ctx, "k")
		if c.degraded() || c.fallbacks() != 0 || log.count("\n") != 0 {
			t.Errorf("%s: Redis was asked", store)
		}
	}
}

func TestFaultyStoreURL(t *testing.T) {
	for _, url := range []string{"redis", "http://u:s3cret@h", "redis://u:s3cret@h:port", "redis://:s3/cret@h", "redis://u:s3cret@h?nonsense=1"} {
		_, err := newCeilings(1, 1, url, slog.New(slog.DiscardHandler))
		if err == nil || !strings.Contains(err.Error(), "ratelimit.store") || strings.Contains(err.Error(), "cret") || strings.Contains(err.Error(), "s3") {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestCloseTwice(t *testing.T) {
	c, _ := testCeilings(t, 1, 1, "memory")
	if err := c.close(); err != nil {
		t.Error(err)
	}
	if err := c.close(); err != nil {
		t.Error(err)
	}
}

package server

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
)

func TestMemoryDropsWindowsThatAreOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryCounter()
		defer m.close()
		rate := limiter.Rate{Period: time.Minute, Limit: 5}
		_, _ = m.count(t.Context(), "old", rate)
		time.Sleep(45 * time.Second)
		_, _ = m.count(t.Context(), "young", rate)

		time.Sleep(memoryCleanUp + time.Second) // at 76 s: the first is over, and cleaned up at 90 s
		time.Sleep(15 * time.Second)
		kept := map[string]bool{}
		m.cache.Range(func(id string, _ *memory.Counter) { kept[id] = true })
		if kept["old"] || !kept["young"] {
			t.Errorf("kept %v, want young alone", kept)
		}
	})
}

// The window is a minute from its first request, to the nanosecond.
func TestMemoryWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryCounter()
		defer m.close()
		rate := limiter.Rate{Period: time.Minute, Limit: 1}
		for _, step := range []struct {
			wait  time.Duration
			over  bool
			reset time.Duration
		}{
			{0, false, time.Minute},
			{100 * time.Millisecond, true, 59900 * time.Millisecond},
			{59800 * time.Millisecond, true, 100 * time.Millisecond},
			{100*time.Millisecond + 1, false, time.Minute},
		} {
			time.Sleep(step.wait)
			got, _ := m.count(t.Context(), "k", rate)
			if got.over != step.over || got.reset != step.reset || got.remaining != 0 {
				t.Errorf("after %s: %+v", step.wait, got)
			}
		}
	})
}

// A clock that is set back makes a window look longer than it can be.
func TestTallyHoldsTheTimeLeft(t *testing.T) {
	rate := limiter.Rate{Period: time.Minute, Limit: 1}
	if got := newTally(1, time.Hour, rate).reset; got != time.Minute {
		t.Errorf("an hour left of a minute: %s", got)
	}
	if got := newTally(1, -time.Second, rate).reset; got != 0 {
		t.Errorf("over a second ago: %s", got)
	}
}

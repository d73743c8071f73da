package server

import (
	"runtime"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/ulule/limiter/v3"
)

// However many callers there are, they take no more memory than is promised; and
// one who has reached a ceiling stays refused, one who is new is not.
func TestMemoryIsBounded(t *testing.T) {
	m := newMemoryCounter()
	rate := limiter.Rate{Period: time.Minute, Limit: 100}
	before := heap()
	for range 200 {
		_, _ = m.count(t.Context(), "eager", rate)
	}
	for i := range 3 * memoryCounts {
		_, _ = m.count(t.Context(), "ip:"+strconv.Itoa(i), rate)
		if i%1000 == 0 {
			if got, _ := m.count(t.Context(), "ip:"+strconv.Itoa(-i-1), rate); got.over || got.remaining < rate.Limit/2 {
				t.Fatalf("after %d others, one who is new has %d requests left", i, got.remaining)
			}
		}
	}
	if got, _ := m.peek(t.Context(), "eager", rate); got.remaining != 0 {
		t.Errorf("others gave %d requests back", got.remaining)
	}
	if got, _ := m.count(t.Context(), "eager", rate); !got.over {
		t.Error("one who has reached the ceiling may go on")
	}
	counts := 0
	for i := range m.shards {
		counts += len(m.shards[i].counts)
	}
	if counts > memoryCounts {
		t.Errorf("%d counts", counts)
	}
	if grown := heap() - before; grown > 16<<20 {
		t.Errorf("they take %d KB", grown>>10)
	}
	runtime.KeepAlive(m)
}

// Windows that are over make room first, whatever was counted in them.
func TestMemoryReusesWindowsThatAreOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryCounter()
		rate := limiter.Rate{Period: time.Minute, Limit: 5}
		for range 2 {
			for i := range memoryCounts {
				_, _ = m.count(t.Context(), strconv.Itoa(i), rate)
			}
		}
		time.Sleep(rate.Period + 1)
		for i := range memoryCounts {
			if got, _ := m.count(t.Context(), "new"+strconv.Itoa(i), rate); got.remaining != 4 && i < memoryCounts/2 {
				t.Fatalf("the new caller %d has %d requests left", i, got.remaining)
			}
		}
	})
}

func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// The window is a minute from its first request, to the nanosecond.
func TestMemoryWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMemoryCounter()
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

package server

import (
	"context"
	"sync"
	"time"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
)

// memoryCleanUp is how often the counts of windows that are over are dropped.
// Nothing else bounds how many there are: one for each caller of a minute.
const memoryCleanUp = 30 * time.Second

// memoryCounter counts in process, in the limiter's in-memory cache.
//
// It uses the cache and not the Store around it: the Store rounds the end of a
// window down to the second, its clean-up can drop a count that was renewed a
// moment ago, and a decrement after the end of a window leaves a negative one.
type memoryCounter struct {
	mu    sync.RWMutex // to count: for reading; to take away: for writing
	cache *memory.CacheWrapper
	once  sync.Once
	done  chan struct{}
}

// newMemoryCounter makes a counter that cleans up until it is closed.
func newMemoryCounter() *memoryCounter {
	m := &memoryCounter{cache: memory.NewCache(0), done: make(chan struct{})}
	go m.cleanUp()
	return m
}

func (m *memoryCounter) close() { m.once.Do(func() { close(m.done) }) }

func (m *memoryCounter) peek(_ context.Context, id string, rate limiter.Rate) (tally, error) {
	n, ends := m.cache.Get(id, rate.Period)
	return newTally(n, time.Until(ends), rate), nil
}

func (m *memoryCounter) count(_ context.Context, id string, rate limiter.Rate) (tally, error) {
	m.mu.RLock()
	n, ends := m.cache.Increment(id, 1, rate.Period)
	m.mu.RUnlock()
	return newTally(n, time.Until(ends), rate), nil
}

func (m *memoryCounter) uncount(_ context.Context, id string, rate limiter.Rate) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if n, _ := m.cache.Get(id, rate.Period); n < 1 {
		return nil
	}
	if n, _ := m.cache.Increment(id, -1, rate.Period); n < 0 { // the window has just ended
		m.cache.Delete(id)
	}
	return nil
}

// cleanUp drops windows that are over. Each is looked at again under the lock,
// which is held for that one alone so that nobody waits for the walk.
func (m *memoryCounter) cleanUp() {
	ticker := time.NewTicker(memoryCleanUp)
	defer ticker.Stop()
	for {
		select {
		case <-m.done:
			return
		case <-ticker.C:
			m.cache.Range(m.drop)
		}
	}
}

func (m *memoryCounter) drop(id string, c *memory.Counter) {
	if !c.Expired() {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.Expired() {
		m.cache.Delete(id)
	}
}

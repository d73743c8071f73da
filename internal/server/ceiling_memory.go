package server

import (
	"context"
	"hash/maphash"
	"math"
	"sync"
	"time"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/store/memory"
)

const (
	// memoryShards is in how many parts, each with a lock, the counts are kept.
	memoryShards = 16
	// memoryCounts is how many counts are kept, some 13 MB: as many callers of a
	// minute are told apart.
	memoryCounts = 1 << 17
	// memorySample is of how many counts the least one makes room.
	memorySample = 8
)

// memoryCounter counts in process, with the limiter's in-memory counters.
//
// It has a bound of its own, which the limiter's Store does not have. Once as many
// callers are counted, one who is new takes over the count of one who made few
// requests, with its window. So a caller may be counted a few requests too many,
// but nobody who is near a ceiling is forgotten, however many addresses others use.
//
// Nor does it round the end of a window down to the second, as the Store does.
type memoryCounter struct {
	seed   maphash.Seed // random, so that nobody can choose whom to share a count with
	shards [memoryShards]memoryShard
}

type memoryShard struct {
	mu     sync.Mutex
	counts map[uint64]*memory.Counter // by the hash of the id
	ring   []held                     // the same, to go round
	next   int                        // in the ring
}

type held struct {
	hash  uint64
	count *memory.Counter
}

func newMemoryCounter() *memoryCounter {
	m := &memoryCounter{seed: maphash.MakeSeed()}
	for i := range m.shards {
		m.shards[i].counts = map[uint64]*memory.Counter{}
	}
	return m
}

func (m *memoryCounter) peek(_ context.Context, id string, rate limiter.Rate) (tally, error) {
	s, hash := m.shard(id)
	defer s.mu.Unlock()
	c := s.counts[hash]
	if c == nil {
		return newTally(0, rate.Period, rate), nil
	}
	n, ends := c.Load(windowFromNow(rate))
	return newTally(n, time.Until(time.Unix(0, ends)), rate), nil
}

func (m *memoryCounter) count(_ context.Context, id string, rate limiter.Rate) (tally, error) {
	s, hash := m.shard(id)
	defer s.mu.Unlock()
	c := s.counts[hash]
	if c == nil {
		c = s.newcomer(hash)
	}
	n, ends := c.Increment(1, windowFromNow(rate))
	return newTally(n, time.Until(time.Unix(0, ends)), rate), nil
}

func (m *memoryCounter) uncount(_ context.Context, id string, _ limiter.Rate) error {
	s, hash := m.shard(id)
	defer s.mu.Unlock()
	if c := s.counts[hash]; c != nil && !c.Expired() && c.Value() > 0 {
		c.Increment(-1, c.Expiration())
	}
	return nil
}

// shard returns the part that holds an id, locked.
func (m *memoryCounter) shard(id string) (s *memoryShard, hash uint64) {
	hash = maphash.String(m.seed, id)
	s = &m.shards[hash%memoryShards]
	s.mu.Lock()
	return s, hash
}

// newcomer gives an id that has no count one: a new one while there is room, else
// the least of the next few. A window that is over counts nothing.
func (s *memoryShard) newcomer(hash uint64) *memory.Counter {
	if len(s.ring) < memoryCounts/memoryShards {
		c := &memory.Counter{}
		s.counts[hash], s.ring = c, append(s.ring, held{hash, c})
		return c
	}
	least, at := int64(math.MaxInt64), 0
	for range memorySample {
		s.next = (s.next + 1) % len(s.ring)
		if n, _ := s.ring[s.next].count.Load(0); n < least {
			least, at = n, s.next
		}
		if least == 0 {
			break
		}
	}
	c := s.ring[at].count
	delete(s.counts, s.ring[at].hash)
	s.counts[hash], s.ring[at].hash = c, hash
	return c
}

func windowFromNow(rate limiter.Rate) int64 { return time.Now().Add(rate.Period).UnixNano() }

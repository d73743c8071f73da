package apikey

import (
	"sync"
	"time"

	"records/ent"
)

// maxEntries bounds the cache. A caller with many wrong keys must not fill the
// memory; whoever falls out is looked up again.
const maxEntries = 10_000

// entry is one answer of the database: a key, or nil for none.
type entry struct {
	asked time.Time
	key   *ent.APIKey
}

// cache holds answers by the hash of the token.
type cache struct {
	mu      sync.Mutex
	entries map[string]entry
}

func (c *cache) get(hash string) (entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[hash]
	return e, ok
}

func (c *cache) put(hash string, e entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil || len(c.entries) >= maxEntries {
		c.entries = c.fresh()
	}
	c.entries[hash] = e
}

// fresh returns the entries that still hold, or none if those are more than
// half: with less room gained, every few puts would go through all of them.
func (c *cache) fresh() map[string]entry {
	kept := map[string]entry{}
	for hash, e := range c.entries {
		if time.Since(e.asked) < life {
			kept[hash] = e
		}
	}
	if len(kept) > maxEntries/2 {
		clear(kept)
	}
	return kept
}

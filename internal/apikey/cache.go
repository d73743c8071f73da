package apikey

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"records/ent"
	"records/internal/viewer"
)

const (
	// maxKeys bounds what is remembered of keys that there are: some 25 MB, if so
	// many are in use. Past that, the one that was not used for longest goes.
	maxKeys = 100_000
	// maxUnknown bounds what is remembered of keys that there are not. They have
	// room of their own: whoever tries many wrong keys pushes out no good one.
	maxUnknown = 10_000
	// longest is how long an answer holds at most, its generation unchanged or not. A
	// database that was put back to an earlier day has no sign of what came after, and
	// one whose triggers are off gives none.
	longest = 5 * time.Minute
)

// entry is one answer of the database.
type entry struct {
	asked      time.Time     // before the question went out
	generation string        // of the keys, read before asked; "" for an unknown key
	viewer     viewer.Viewer // what the key makes; the zero Viewer for an unknown key
	expires    *time.Time    // nil: never
	revoked    bool
}

func newEntry(asked time.Time, generation string, key *ent.APIKey) entry {
	return entry{
		asked:      asked,
		generation: generation,
		viewer:     viewer.Viewer{Workspace: key.WorkspaceID, Key: key.ID, Scope: viewer.Scope(key.Scope)},
		expires:    key.ExpiresAt,
		revoked:    key.RevokedAt != nil,
	}
}

// unknown reports whether there is no such key.
func (e *entry) unknown() bool { return e.viewer == viewer.Viewer{} }

// opens reports whether the key is good at a moment.
func (e *entry) opens(now time.Time) bool {
	return !e.unknown() && !e.revoked && (e.expires == nil || e.expires.After(now))
}

// holds reports whether the answer may be used for a request that arrived at a
// moment: it was asked for less than a life before, or the generation under which
// it was given was found unchanged so lately, and it is not older than the longest. A
// key that is unknown has no generation, for one that is new does not change it.
func (e *entry) holds(last *reading, arrived time.Time) bool {
	age := arrived.Sub(e.asked)
	return age < life ||
		age < longest && e.generation != "" && e.generation == last.generation && arrived.Sub(last.asked) < life
}

// cache holds answers by the digest of the token.
type cache struct {
	known, unknown *lru.Cache[digest, entry]
}

func newCache() cache { return cache{newLRU(maxKeys), newLRU(maxUnknown)} }

func newLRU(size int) *lru.Cache[digest, entry] {
	c, err := lru.New[digest, entry](size)
	if err != nil { // a size below 1
		panic(err)
	}
	return c
}

func (c *cache) get(d digest) (entry, bool) {
	if e, ok := c.known.Get(d); ok {
		return e, true
	}
	return c.unknown.Get(d)
}

// put keeps an answer in the place of the one before it.
func (c *cache) put(d digest, e entry) {
	in, out := c.known, c.unknown
	if e.unknown() {
		in, out = out, in
	}
	out.Remove(d)
	in.Add(d, e)
}

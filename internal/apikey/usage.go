package apikey

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/apikey"
	"records/ent/rule"
)

// flushEvery is how often the minutes in which keys were used are written.
const flushEvery = 10 * time.Second

// usage remembers in which minute each key was last used, so that no request
// costs a write.
type usage struct {
	mu    sync.Mutex
	dirty map[uuid.UUID]time.Time
	last  map[uuid.UUID]time.Time
}

func (u *usage) note(key uuid.UUID, now time.Time) {
	minute := now.UTC().Truncate(time.Minute)
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.last[key].Equal(minute) {
		return
	}
	if u.last == nil {
		u.dirty, u.last = map[uuid.UUID]time.Time{}, map[uuid.UUID]time.Time{}
	}
	u.dirty[key], u.last[key] = minute, minute
}

// take returns what has not been written, by minute, and forgets keys that are
// no longer in use.
func (u *usage) take(now time.Time) map[time.Time][]uuid.UUID {
	u.mu.Lock()
	defer u.mu.Unlock()
	byMinute := map[time.Time][]uuid.UUID{}
	for key, minute := range u.dirty {
		byMinute[minute] = append(byMinute[minute], key)
	}
	clear(u.dirty)
	for key, minute := range u.last {
		if now.Sub(minute) > 2*time.Minute {
			delete(u.last, key)
		}
	}
	return byMinute
}

// putBack keeps for the next time what could not be written.
func (u *usage) putBack(keys []uuid.UUID, minute time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for _, key := range keys {
		if _, later := u.dirty[key]; !later {
			u.dirty[key] = minute
		}
	}
}

// Run writes when keys were last used, to the minute, until the context ends;
// then once more.
func (a *Authenticator) Run(ctx context.Context, failed func(error)) {
	ticker := time.NewTicker(flushEvery)
	defer ticker.Stop()
	for done := false; !done; {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			done = true
		}
		if err := a.flush(context.WithoutCancel(ctx)); err != nil {
			failed(err)
		}
	}
}

func (a *Authenticator) flush(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(rule.AsOperator(ctx), lookupTimeout)
	defer cancel()
	var failed error
	for minute, keys := range a.usage.take(time.Now()) {
		for batch := range slices.Chunk(keys, 500) {
			if err := touch(ctx, a.client, batch, minute); err != nil {
				a.usage.putBack(batch, minute)
				failed = err
			}
		}
	}
	return failed
}

// touch moves last_used_at forward; another replica may have been later.
func touch(ctx context.Context, client *ent.Client, keys []uuid.UUID, minute time.Time) error {
	return client.APIKey.Update().
		Where(apikey.IDIn(keys...), apikey.Or(apikey.LastUsedAtIsNil(), apikey.LastUsedAtLT(minute))).
		SetLastUsedAt(minute).
		Exec(ctx)
}

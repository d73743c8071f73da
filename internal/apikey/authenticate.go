package apikey

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/singleflight"

	"records/ent"
	"records/ent/apikey"
	"records/ent/rule"
	"records/internal/viewer"
)

// ErrRefused is the one answer to a key that is malformed, unknown, expired or
// revoked.
var ErrRefused = errors.New("the key is not valid")

// RefusedKey is ErrRefused for a key that there is, and that is revoked or expired.
// Whoever sent it is told no more than of any other; its workspace is.
type RefusedKey struct{ Workspace, Key uuid.UUID }

// Error implements error.
func (RefusedKey) Error() string { return ErrRefused.Error() }

// Unwrap makes it an ErrRefused.
func (RefusedKey) Unwrap() error { return ErrRefused }

const (
	// life is how long what the database said of keys is used, from the moment it
	// was asked. A change of a key has to hold within one second everywhere.
	life = 700 * time.Millisecond
	// lookupTimeout bounds one look-up, which may serve many requests.
	lookupTimeout = 5 * time.Second
	// maxStrangers is how many keys that are not remembered are looked up at a
	// time. Wrong ones, however many, take no more of the database than that.
	maxStrangers = 8
)

// Authenticator tells whose a token is. It is safe for concurrent use.
type Authenticator struct {
	client    *ent.Client
	cache     cache
	last      atomic.Pointer[reading]
	flight    singleflight.Group // of look-ups by their digest, and of refresh by ""
	strangers chan struct{}
	usage     usage

	hits, misses atomic.Int64
}

// Stats are what is remembered of keys, and how often that was enough.
type Stats struct {
	Hits, Misses   int64 // requests, since the start
	Known, Unknown int   // keys that are remembered
}

// Stats returns how things stand.
func (a *Authenticator) Stats() Stats {
	return Stats{a.hits.Load(), a.misses.Load(), a.cache.known.Len(), a.cache.unknown.Len()}
}

// NewAuthenticator returns one that looks keys up through the client.
func NewAuthenticator(client *ent.Client) *Authenticator {
	a := &Authenticator{client: client, cache: newCache(), strangers: make(chan struct{}, maxStrangers)}
	a.last.Store(&reading{})
	return a
}

// Authenticate returns the viewer that a token makes, ErrRefused (a RefusedKey where
// there is such a key), or the error of a database that cannot be asked.
func (a *Authenticator) Authenticate(ctx context.Context, token string) (viewer.Viewer, error) {
	if !WellFormed(token) {
		return viewer.Viewer{}, ErrRefused
	}
	now := time.Now()
	key, err := a.lookUp(ctx, digestOf(token), now)
	if err != nil {
		return viewer.Viewer{}, err
	}
	if key.unknown() {
		return viewer.Viewer{}, ErrRefused
	}
	if !key.opens(now) {
		return viewer.Viewer{}, RefusedKey{key.viewer.Workspace, key.viewer.Key}
	}
	a.usage.note(key.viewer.Key, now)
	return key.viewer, nil
}

// lookUp returns what is known of a key. The generation is read before the key,
// never after it: an answer that is older than a change must not stand under the
// generation that came with the change. A request waits for the reading only where
// nothing it could use is remembered. Concurrent look-ups of one key share one
// query; an answer that was asked for too long before the request arrived is asked
// for again.
func (a *Authenticator) lookUp(ctx context.Context, d digest, arrived time.Time) (entry, error) {
	for asked := false; ; asked = true {
		var flight <-chan singleflight.Result
		last := a.last.Load()
		if last.due(arrived) {
			flight = a.flight.DoChan("", func() (any, error) { a.refresh(); return nil, nil })
		}
		if e, ok := a.cache.get(d); ok && e.holds(last, arrived) {
			if !asked {
				a.hits.Add(1)
			}
			return e, nil
		}
		if !asked {
			a.misses.Add(1)
		}
		if flight == nil {
			flight = a.flight.DoChan(string(d[:]), func() (any, error) { return a.ask(d) })
		}
		select {
		case result := <-flight:
			if result.Err != nil {
				return entry{}, result.Err
			}
			if e, ok := result.Val.(entry); ok && arrived.Sub(e.asked) < life {
				return e, nil
			}
		case <-ctx.Done():
			return entry{}, ctx.Err()
		}
	}
}

// ask reads the key from the database. It has its own time: the request that
// began it may end before those that joined it.
func (a *Authenticator) ask(d digest) (entry, error) {
	ctx, cancel := context.WithTimeout(rule.AsOperator(context.Background()), lookupTimeout)
	defer cancel()
	before, remembered := a.cache.get(d)
	if remembered && before.holds(a.last.Load(), time.Now()) { // another was quicker
		return before, nil
	}
	if !remembered {
		select {
		case a.strangers <- struct{}{}:
			defer func() { <-a.strangers }()
		case <-ctx.Done():
			return entry{}, ctx.Err()
		}
	}
	e, generation := entry{asked: time.Now()}, a.last.Load().generation
	key, err := a.client.APIKey.Query().Where(apikey.Hash(d.stored())).Only(ctx)
	switch {
	case err == nil:
		e = newEntry(e.asked, generation, key)
	case !ent.IsNotFound(err):
		return entry{}, err
	}
	a.cache.put(d, e)
	return e, nil
}

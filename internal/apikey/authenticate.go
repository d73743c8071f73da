package apikey

import (
	"context"
	"errors"
	"time"

	"golang.org/x/sync/singleflight"

	"records/ent"
	"records/ent/apikey"
	"records/ent/rule"
	"records/internal/viewer"
)

// ErrRefused is the one answer to a key that is malformed, unknown, expired or
// revoked.
var ErrRefused = errors.New("the key is not valid")

const (
	// life is how long an answer about a key is used, from the moment it was
	// asked for. A change of a key has to hold within one second everywhere.
	life = 700 * time.Millisecond
	// lookupTimeout bounds one look-up, which may serve many requests.
	lookupTimeout = 5 * time.Second
)

// Authenticator tells whose a token is. It is safe for concurrent use.
type Authenticator struct {
	client *ent.Client
	cache  cache
	flight singleflight.Group
	usage  usage
}

// NewAuthenticator returns one that looks keys up through the client.
func NewAuthenticator(client *ent.Client) *Authenticator {
	return &Authenticator{client: client}
}

// Authenticate returns the viewer that a token makes, ErrRefused, or the error
// of a database that cannot be asked.
func (a *Authenticator) Authenticate(ctx context.Context, token string) (viewer.Viewer, error) {
	if !WellFormed(token) {
		return viewer.Viewer{}, ErrRefused
	}
	now := time.Now()
	key, err := a.lookUp(ctx, hash(token), now)
	if err != nil {
		return viewer.Viewer{}, err
	}
	if key == nil || key.RevokedAt != nil || (key.ExpiresAt != nil && !key.ExpiresAt.After(now)) {
		return viewer.Viewer{}, ErrRefused
	}
	a.usage.note(key.ID, now)
	return viewer.Viewer{Workspace: key.WorkspaceID, Key: key.ID, Scope: viewer.Scope(key.Scope)}, nil
}

// lookUp returns the key with that hash, nil for none. Concurrent look-ups of
// one key share one query; an answer that was asked for too long before the
// request came in is asked for again.
func (a *Authenticator) lookUp(ctx context.Context, hash string, arrived time.Time) (*ent.APIKey, error) {
	for {
		if e, ok := a.cache.get(hash); ok && arrived.Sub(e.asked) < life {
			return e.key, nil
		}
		select {
		case result := <-a.flight.DoChan(hash, func() (any, error) { return a.ask(hash) }):
			if result.Err != nil {
				return nil, result.Err
			}
			if e := result.Val.(entry); arrived.Sub(e.asked) < life {
				return e.key, nil
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// ask reads the key from the database. It has its own time: the request that
// began it may end before those that joined it.
func (a *Authenticator) ask(hash string) (entry, error) {
	ctx, cancel := context.WithTimeout(rule.AsOperator(context.Background()), lookupTimeout)
	defer cancel()
	e := entry{asked: time.Now()}
	key, err := a.client.APIKey.Query().Where(apikey.Hash(hash)).Only(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return entry{}, err
	}
	e.key = key
	a.cache.put(hash, e)
	return e, nil
}

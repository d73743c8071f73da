package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/apikey"
	"records/internal/scalar"
	"records/internal/viewer"
)

// A key that has ended stays as it is. Whoever let it end relies on that its token
// opens nothing any more, wherever it was left; replicas that have refused it go on.
var (
	ErrRevoked = errors.New("the key is revoked, and cannot be changed any more")
	ErrExpired = errors.New("the key has expired, and cannot be changed any more")
)

// ErrPast is returned for an expiry that is not in the future.
var ErrPast = errors.New("the key's expiry must be in the future")

// ErrFar is returned for an expiry that has no text as RFC 3339, and that SQLite
// could not read back.
var ErrFar = errors.New("the key's expiry must be before the year 10000 in UTC")

// Rename gives a key another name, which decides nothing.
func Rename(ctx context.Context, client *ent.Client, id uuid.UUID, name string) error {
	if err := scalar.CheckName(name); err != nil {
		return fmt.Errorf("the key's name %w", err)
	}
	return change(ctx, client, id, func(key *ent.APIKey, u *ent.APIKeyUpdate) (action, string) {
		if key.Name == name {
			return "", ""
		}
		u.SetName(name)
		return renamed, fmt.Sprintf("from %s to %s", quoted(key.Name), quoted(name))
	})
}

// SetScope changes what a key may do; its token stays. The change holds on
// every replica within a second.
func SetScope(ctx context.Context, client *ent.Client, id uuid.UUID, scope viewer.Scope) error {
	return change(ctx, client, id, func(key *ent.APIKey, u *ent.APIKeyUpdate) (action, string) {
		if key.Scope == string(scope) {
			return "", ""
		}
		u.SetScope(string(scope))
		return scopeChanged, fmt.Sprintf("from %s to %s", key.Scope, scope)
	})
}

// SetExpiry changes when a key ends; nil is never. The change holds on every
// replica within a second. ErrPast if the moment is not in the future, ErrFar if it is
// too far in it.
func SetExpiry(ctx context.Context, client *ent.Client, id uuid.UUID, expires *time.Time) error {
	if expires != nil && !expires.After(time.Now()) {
		return ErrPast
	}
	if err := checkFar(expires); err != nil {
		return err
	}
	return change(ctx, client, id, func(key *ent.APIKey, u *ent.APIKeyUpdate) (action, string) {
		switch was := key.ExpiresAt; {
		case was == nil && expires == nil, was != nil && expires != nil && was.Equal(*expires):
			return "", ""
		case expires == nil:
			u.ClearExpiresAt()
		default:
			u.SetExpiresAt(*expires)
		}
		return expiryChanged, fmt.Sprintf("from %s to %s", until(key.ExpiresAt), until(expires))
	})
}

// checkFar refuses an expiry that could not be read back, whoever asks for it.
func checkFar(expires *time.Time) error {
	if expires != nil && expires.UTC().Year() > 9999 {
		return ErrFar
	}
	return nil
}

// Revoke ends a key for ever. It is refused on every replica within a second.
// Revoking it again changes nothing.
func Revoke(ctx context.Context, client *ent.Client, id uuid.UUID) error {
	return within(ctx, client, func(ctx context.Context, tx *ent.Client) error {
		key, err := hold(ctx, tx, id)
		if errors.Is(err, ErrRevoked) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := tx.APIKey.Update().Where(apikey.ID(id)).SetRevokedAt(now()).Exec(ctx); err != nil {
			return err
		}
		return record(ctx, tx, key, revoked, quoted(key.Name))
	})
}

// change changes a key that has not ended, and records it. By "" the caller says
// that there is nothing to change. ErrNotFound, ErrRevoked or ErrExpired if there
// is no such key.
func change(ctx context.Context, client *ent.Client, id uuid.UUID, to func(*ent.APIKey, *ent.APIKeyUpdate) (action, string)) error {
	return within(ctx, client, func(ctx context.Context, tx *ent.Client) error {
		key, err := holdOpen(ctx, tx, id)
		if err != nil {
			return err
		}
		update := tx.APIKey.Update().Where(apikey.ID(id))
		what, detail := to(key, update)
		if what == "" {
			return nil
		}
		if err := update.Exec(ctx); err != nil {
			return err
		}
		return record(ctx, tx, key, what, detail)
	})
}

// holdOpen is hold of a key that has not ended.
func holdOpen(ctx context.Context, tx *ent.Client, id uuid.UUID) (*ent.APIKey, error) {
	key, err := hold(ctx, tx, id)
	if err == nil && StateOf(key, time.Now()) == Expired {
		return nil, ErrExpired
	}
	return key, err
}

// hold returns a key that is not revoked, and keeps others from changing it until
// the transaction ends. It does so by an update that changes nothing, not by
// SELECT … FOR UPDATE: so the lock on the keys' generation is taken before that on
// the key, as by all who change keys (ADR 8), and they do not wait in a circle.
func hold(ctx context.Context, tx *ent.Client, id uuid.UUID) (*ent.APIKey, error) {
	held, err := tx.APIKey.Update().Where(apikey.ID(id), apikey.RevokedAtIsNil()).ClearRevokedAt().SaveReturning(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(held) == 1:
		return held[0], nil
	}
	switch there, err := tx.APIKey.Query().Where(apikey.ID(id)).Exist(ctx); {
	case err != nil:
		return nil, err
	case there:
		return nil, ErrRevoked
	}
	return nil, ErrNotFound
}

// now is a moment as the database keeps it.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

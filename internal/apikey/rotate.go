package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/apikey"
	"records/internal/viewer"
)

// MaxOverlap is how long a key may live on at most beside the one that takes its
// place.
const MaxOverlap = 7 * 24 * time.Hour

// ErrReplaced is returned for a key that was rotated before.
var ErrReplaced = errors.New("the key was rotated already: rotate the one that took its place")

// Rotate mints a key that takes the place of another, whose name, scope and length
// of life it has: what was made for 90 days lives for 90 days more. The old key
// ends after the overlap, if it does not sooner; after 0 at once. The token is
// returned this once. ErrReplaced if the key was rotated before.
func Rotate(ctx context.Context, client *ent.Client, id uuid.UUID, overlap time.Duration) (key *ent.APIKey, token string, err error) {
	if overlap < 0 || overlap > MaxOverlap {
		return nil, "", fmt.Errorf("the overlap must be between 0 and %s", MaxOverlap)
	}
	err = within(ctx, client, func(ctx context.Context, tx *ent.Client) error {
		old, err := holdOpen(ctx, tx, id)
		if err != nil {
			return err
		}
		switch there, err := tx.APIKey.Query().Where(apikey.WorkspaceID(old.WorkspaceID), apikey.Replaces(old.ID)).Exist(ctx); {
		case err != nil:
			return err
		case there:
			return ErrReplaced
		}
		key, token, err = mint(ctx, tx, Request{Workspace: old.WorkspaceID, Name: old.Name, Scope: viewer.Scope(old.Scope), Expires: renewed(old)}, &old.ID)
		if err != nil {
			return err
		}
		return retire(ctx, tx, old, key, overlap)
	})
	if err != nil {
		return nil, "", err
	}
	return key, token, nil
}

// longLife is a life that nobody lives to see the end of: a year far off, which stays
// that year. A time.Duration ends at 292 years.
const longLife = 100 * 365 * 24 * time.Hour

// renewed is the expiry of what takes a key's place.
func renewed(old *ent.APIKey) *time.Time {
	if old.ExpiresAt == nil {
		return nil
	}
	life := old.ExpiresAt.Sub(old.CreatedAt)
	if life > longLife {
		return old.ExpiresAt
	}
	expires := now().Add(life).Truncate(time.Millisecond)
	return &expires
}

// retire ends the old key after the overlap, and records both.
func retire(ctx context.Context, tx *ent.Client, old, key *ent.APIKey, overlap time.Duration) error {
	end := now().Add(overlap)
	if old.ExpiresAt != nil && old.ExpiresAt.Before(end) {
		end = *old.ExpiresAt
	}
	if err := tx.APIKey.Update().Where(apikey.ID(old.ID)).SetExpiresAt(end).Exec(ctx); err != nil {
		return err
	}
	if err := record(ctx, tx, old, rotated, fmt.Sprintf("replaced by %s…, %s", key.Prefix, until(&end))); err != nil {
		return err
	}
	return record(ctx, tx, key, created, fmt.Sprintf("%s, scope %s, %s, in the place of %s…", quoted(key.Name), key.Scope, until(key.ExpiresAt), old.Prefix))
}

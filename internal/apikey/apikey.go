package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/apikey"
	"records/ent/rule"
	"records/internal/scalar"
	"records/internal/viewer"
)

// ErrNotFound is returned for the id of no key.
var ErrNotFound = errors.New("there is no key with this id")

// Request says what key to mint.
type Request struct {
	Workspace uuid.UUID
	Name      string
	Scope     viewer.Scope
	Expires   *time.Time // nil: never
}

// Create mints a key. The token is returned this once and stored nowhere.
func Create(ctx context.Context, client *ent.Client, r Request) (key *ent.APIKey, token string, err error) {
	if err := scalar.CheckName(r.Name); err != nil {
		return nil, "", fmt.Errorf("the key's name %w", err)
	}
	token = newToken()
	key, err = client.APIKey.Create().
		SetWorkspaceID(r.Workspace).
		SetName(r.Name).
		SetScope(string(r.Scope)).
		SetHash(digestOf(token).stored()).
		SetPrefix(token[:shownLength]).
		SetNillableExpiresAt(r.Expires).
		Save(rule.AsOperator(ctx))
	if err != nil {
		return nil, "", fmt.Errorf("creating the key: %w", err)
	}
	return key, token, nil
}

// List returns the keys of a workspace, newest first.
func List(ctx context.Context, client *ent.Client, workspace uuid.UUID) ([]*ent.APIKey, error) {
	return client.APIKey.Query().
		Where(apikey.WorkspaceID(workspace)).
		Order(ent.Desc(apikey.FieldID)).
		All(rule.AsOperator(ctx))
}

// SetScope changes what a key may do; its token stays. The change holds on
// every replica within a second. ErrNotFound if there is no such key.
func SetScope(ctx context.Context, client *ent.Client, id uuid.UUID, scope viewer.Scope) error {
	return one(client.APIKey.Update().Where(apikey.ID(id)).SetScope(string(scope)).Save(rule.AsOperator(ctx)))
}

// Revoke ends a key for ever. It is refused on every replica within a second.
// Revoking it again changes nothing. ErrNotFound if there is no such key.
func Revoke(ctx context.Context, client *ent.Client, id uuid.UUID) error {
	ctx = rule.AsOperator(ctx)
	n, err := client.APIKey.Update().Where(apikey.ID(id), apikey.RevokedAtIsNil()).SetRevokedAt(time.Now().UTC().Truncate(time.Millisecond)).Save(ctx)
	if err != nil || n == 1 {
		return err
	}
	return one(client.APIKey.Query().Where(apikey.ID(id)).Count(ctx))
}

func one(n int, err error) error {
	if err == nil && n == 0 {
		return ErrNotFound
	}
	return err
}

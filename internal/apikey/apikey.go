package apikey

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/apikey"
	"records/internal/database"
	"records/internal/scalar"
	"records/internal/viewer"
)

// What keys are made and changed by asks the policies of the schema: a person may
// do it in their own workspace, an operator's command passes rule.AsOperator.
// Each change is recorded in its own transaction, or in the caller's where the
// client is one of a transaction.

// ErrNotFound is returned for the id of no key, and of one out of reach.
var ErrNotFound = errors.New("there is no key with this id")

// ErrMade is returned where a form is sent again that a key was made with.
var ErrMade = errors.New("a key was made with this form already")

// Request says what key to mint.
type Request struct {
	Workspace uuid.UUID
	Name      string
	Scope     viewer.Scope
	Expires   *time.Time // nil: never
	Form      *uuid.UUID // one makes one key of a workspace; nil: none
}

// Create mints a key. The token is returned this once and stored nowhere. ErrMade
// if the workspace has a key that was made with the form.
func Create(ctx context.Context, client *ent.Client, r Request) (key *ent.APIKey, token string, err error) {
	err = within(ctx, client, func(ctx context.Context, tx *ent.Client) error {
		if key, token, err = mint(ctx, tx, r, nil); err != nil {
			return err
		}
		return record(ctx, tx, key, created, fmt.Sprintf("%s, scope %s, %s", quoted(r.Name), r.Scope, until(r.Expires)))
	})
	if err != nil {
		return nil, "", err
	}
	return key, token, nil
}

// mint makes a key, which may take another's place.
func mint(ctx context.Context, tx *ent.Client, r Request, replaces *uuid.UUID) (*ent.APIKey, string, error) {
	if err := scalar.CheckName(r.Name); err != nil {
		return nil, "", fmt.Errorf("the key's name %w", err)
	}
	if err := checkFar(r.Expires); err != nil {
		return nil, "", err
	}
	token := newToken()
	key, err := tx.APIKey.Create().
		SetWorkspaceID(r.Workspace).
		SetName(r.Name).
		SetScope(string(r.Scope)).
		SetHash(digestOf(token).stored()).
		SetPrefix(token[:shownLength]).
		SetNillableExpiresAt(r.Expires).
		SetNillableFormID(r.Form).
		SetNillableReplaces(replaces).
		Save(ctx)
	switch {
	case r.Form != nil && database.IsUniqueViolation(err):
		return nil, "", fmt.Errorf("%w: %w", ErrMade, err)
	case err != nil:
		return nil, "", fmt.Errorf("creating the key: %w", err)
	}
	return key, token, nil
}

// List returns the keys of a workspace, newest first.
func List(ctx context.Context, client *ent.Client, workspace uuid.UUID) ([]*ent.APIKey, error) {
	return client.APIKey.Query().
		Where(apikey.WorkspaceID(workspace)).
		Order(ent.Desc(apikey.FieldID)).
		All(ctx)
}

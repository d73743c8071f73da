package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"records/ent"
	entrest "records/ent/rest"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/account"
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/load"
	"records/internal/rest"
	"records/internal/viewer"
)

// fill puts into an empty database what a customer's could hold: two workspaces
// with the demo records, one with values at the edges of what a field takes,
// and keys in every state. It returns a token for each workspace.
func fill(ctx context.Context, db *database.DB) ([]string, error) {
	client := ent.NewClient(ent.Driver(db.Driver()))
	var tokens []string
	for _, in := range []struct {
		name    string
		records func(context.Context, *ent.Client) error
	}{{"Acme", demo}, {"Bäckerei „Süd“ 🥨", demo}, {"Edges", edges}} {
		w, err := client.Workspace.Create().SetName(in.name).Save(rule.AsOperator(ctx))
		if err != nil {
			return nil, err
		}
		token, err := keys(ctx, client, w)
		if err != nil {
			return nil, err
		}
		if err := people(rule.AsOperator(ctx), client, w); err != nil {
			return nil, err
		}
		tokens = append(tokens, token)
		inside := viewer.NewContext(ctx, viewer.Viewer{Workspace: w.ID, Scope: viewer.Write})
		if err := in.records(inside, client); err != nil {
			return nil, fmt.Errorf("workspace %s: %w", in.name, err)
		}
	}
	return tokens, nil
}

// keys makes a key in every state, and returns the token of one that works.
func keys(ctx context.Context, client *ent.Client, w *ent.Workspace) (string, error) {
	ctx = rule.AsOperator(ctx)
	past := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	used, token, err := apikey.Create(ctx, client, apikey.Request{Workspace: w.ID, Name: "used", Scope: viewer.Write})
	if err != nil {
		return "", err
	}
	revoked, _, err := apikey.Create(ctx, client, apikey.Request{Workspace: w.ID, Name: "revoked", Scope: viewer.Read})
	if err != nil {
		return "", err
	}
	_, _, err = apikey.Create(ctx, client, apikey.Request{Workspace: w.ID, Name: "expired", Scope: viewer.Read, Expires: &past})
	return token, errors.Join(err,
		apikey.Revoke(ctx, client, revoked.ID),
		client.APIKey.UpdateOneID(used.ID).SetLastUsedAt(past).Exec(ctx))
}

// people makes a member of a workspace, who is signed in, and an invitation.
func people(ctx context.Context, client *ent.Client, w *ent.Workspace) error {
	id, later := w.ID.String(), time.Date(2099, 2, 3, 4, 5, 6, 0, time.UTC)
	user, err := account.CreateUser(ctx, client, id+"@example.com", "Ann", "a password of "+id)
	if err != nil {
		return err
	}
	return errors.Join(
		account.Join(ctx, client, w.ID, user.ID, viewer.RoleOwner),
		client.Session.Create().SetUserID(user.ID).SetHash(id).SetData([]byte("{}")).SetExpiresAt(later).Exec(ctx),
		client.Invitation.Create().SetWorkspaceID(w.ID).SetUserID(user.ID).SetHash(id).SetRole(string(viewer.RoleViewer)).SetExpiresAt(later).Exec(ctx))
}

func demo(ctx context.Context, client *ent.Client) error {
	_, err := load.Demo(ctx, client)
	return err
}

// edges creates, of each resource, a record with nothing but what is required,
// and one for each value at an edge of each field.
func edges(ctx context.Context, client *ent.Client) error {
	all := entrest.Resources(client)
	for _, r := range all {
		bodies := []map[string]any{{}}
		for _, f := range r.Fields() {
			for _, value := range edgesOf(f) {
				bodies = append(bodies, map[string]any{f.Name: value})
			}
		}
		for i, body := range bodies {
			if err := create(ctx, all, r, withRequired(r, i, body)); err != nil {
				return fmt.Errorf("%s %v: %w", r.Spec().Plural, body, err)
			}
		}
	}
	return nil
}

// withRequired adds the i-th examples of the fields that are required: they differ
// where they must.
func withRequired(r rest.Resource, i int, body map[string]any) map[string]any {
	examples := load.Example(r, i, nil)
	for _, f := range r.Fields() {
		if _, given := body[f.Name]; f.Required && !given {
			body[f.Name] = examples[f.Name]
		}
	}
	return body
}

// create makes a record. One that a rule of the resource forbids is left out.
func create(ctx context.Context, all rest.Resources, r rest.Resource, body map[string]any) error {
	raw, err := json.Marshal(body)
	if err != nil {
		return err
	}
	_, err = r.Create(ctx, all, raw)
	if err != nil && slices.Contains([]string{rest.CodeValidationFailed, rest.CodeConflict}, rest.AsError(err).Code) {
		return nil
	}
	return err
}

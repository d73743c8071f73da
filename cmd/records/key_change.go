package main

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/viewer"
)

// keyChanges are the commands that change one key.
func keyChanges() []*cobra.Command {
	rename := &cobra.Command{Use: "rename ID --name TEXT", Short: "Call a key something else", Args: cobra.ExactArgs(1), RunE: renameKey}
	rename.Flags().String("name", "", "what the key is for")
	require(rename, "name")

	setScope := &cobra.Command{Use: "set-scope ID --scope read|write", Short: "Change what a key may do; its token stays", Args: cobra.ExactArgs(1), RunE: setKeyScope}
	setScope.Flags().String("scope", "", "read or write")
	require(setScope, "scope")

	setExpiry := &cobra.Command{Use: "set-expiry ID --expires MOMENT|DURATION|never", Short: "Change when a key ends; its token stays", Args: cobra.ExactArgs(1), RunE: setKeyExpiry}
	setExpiry.Flags().String("expires", "", "when it ends, as RFC 3339 or in a duration such as 720h; never takes the end away")
	require(setExpiry, "expires")

	rotate := &cobra.Command{Use: "rotate ID", Short: "Mint a key like this one, which ends after an overlap; the new token is shown this once", Args: cobra.ExactArgs(1), RunE: rotateKey}
	rotate.Flags().Duration("overlap", 24*time.Hour, "how long the old key lives on; 0 ends it now, 168h is the most")

	revoke := &cobra.Command{Use: "revoke ID", Short: "End a key for ever", Args: cobra.ExactArgs(1), RunE: revokeKey}

	return []*cobra.Command{rename, setScope, setExpiry, rotate, revoke}
}

func renameKey(cmd *cobra.Command, args []string) error {
	name := flag(cmd, "name")
	return changeKey(cmd, args, func(ctx context.Context, a *app, id uuid.UUID) error {
		if err := apikey.Rename(ctx, a.client, id, name); err != nil {
			return err
		}
		return a.print.result(map[string]string{"id": id.String(), "name": name}, "Key %s is now called %q.", id, name)
	})
}

func setKeyScope(cmd *cobra.Command, args []string) error {
	scope, err := viewer.ParseScope(flag(cmd, "scope"))
	if err != nil {
		return err
	}
	return changeKey(cmd, args, func(ctx context.Context, a *app, id uuid.UUID) error {
		if err := apikey.SetScope(ctx, a.client, id, scope); err != nil {
			return err
		}
		return a.print.result(map[string]string{"id": id.String(), "scope": string(scope)}, "Key %s now has scope %s.", id, scope)
	})
}

func setKeyExpiry(cmd *cobra.Command, args []string) error {
	expires, err := parseExpiry(flag(cmd, "expires"), flag(cmd, "expires") != "never")
	if err != nil {
		return err
	}
	return changeKey(cmd, args, func(ctx context.Context, a *app, id uuid.UUID) error {
		if err := apikey.SetExpiry(ctx, a.client, id, expires); err != nil {
			return err
		}
		shown := moment{expires}
		return a.print.result(map[string]any{"id": id.String(), "expires_at": shown}, "Key %s now ends: %s.", id, shown.or("never"))
	})
}

func rotateKey(cmd *cobra.Command, args []string) error {
	overlap, err := cmd.Flags().GetDuration("overlap")
	if err != nil {
		return err
	}
	return changeKey(cmd, args, func(ctx context.Context, a *app, id uuid.UUID) error {
		key, token, err := apikey.Rotate(ctx, a.client, id, overlap)
		if err != nil {
			return err
		}
		w, err := a.client.Workspace.Get(ctx, key.WorkspaceID)
		if err != nil {
			return err
		}
		shown := showKey(key, w)
		shown.Token = token
		return a.print.result(shown, "Key %s (%s) takes the place of %s, which ends in %s at the latest.\nIts token is shown this once:\n\n  %s", key.ID, key.Scope, id, overlap, token)
	})
}

func revokeKey(cmd *cobra.Command, args []string) error {
	return changeKey(cmd, args, func(ctx context.Context, a *app, id uuid.UUID) error {
		if err := apikey.Revoke(ctx, a.client, id); err != nil {
			return err
		}
		return a.print.result(map[string]any{"id": id.String(), "revoked": true}, "Key %s is revoked.", id)
	})
}

// changeKey runs to, as the operator, with the key that the first argument names.
func changeKey(cmd *cobra.Command, args []string, to func(context.Context, *app, uuid.UUID) error) error {
	id, err := keyID(args[0])
	if err != nil {
		return err
	}
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	return to(rule.AsOperator(cmd.Context()), a, id)
}

package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"records/ent"
	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/scalar"
	"records/internal/viewer"
)

// keyJSON is a key in the output of --json. Token is there only where the key
// was just minted.
type keyJSON struct {
	ID         string `json:"id"`
	Token      string `json:"token,omitempty"`
	Workspace  string `json:"workspace"`
	Name       string `json:"name"`
	Prefix     string `json:"prefix"`
	Scope      string `json:"scope"`
	CreatedAt  moment `json:"created_at"`
	LastUsedAt moment `json:"last_used_at"`
	ExpiresAt  moment `json:"expires_at"`
	RevokedAt  moment `json:"revoked_at"`
	Replaces   string `json:"replaces,omitempty"`
}

func newKey() *cobra.Command {
	cmd := newGroup("key", "API keys: what opens a workspace")

	create := &cobra.Command{Use: "create --workspace NAME --name TEXT --scope read|write", Short: "Mint a key; its token is shown this once", Args: cobra.NoArgs, RunE: createKey}
	create.Flags().String("workspace", "", "the workspace's name or id")
	create.Flags().String("name", "", "what the key is for")
	create.Flags().String("scope", "", "read or write")
	create.Flags().String("expires", "", "when it ends, as RFC 3339 or in a duration such as 720h (default never)")
	require(create, "workspace", "name", "scope")

	list := &cobra.Command{Use: "list --workspace NAME", Short: "List the keys of a workspace", Args: cobra.NoArgs, RunE: listKeys}
	list.Flags().String("workspace", "", "the workspace's name or id")
	require(list, "workspace")

	cmd.AddCommand(create, list)
	cmd.AddCommand(keyChanges()...)
	return cmd
}

func require(cmd *cobra.Command, flags ...string) {
	for _, name := range flags {
		if err := cmd.MarkFlagRequired(name); err != nil {
			panic(err) // a flag that was not declared above
		}
	}
}

func createKey(cmd *cobra.Command, _ []string) error {
	scope, err := viewer.ParseScope(flag(cmd, "scope"))
	if err != nil {
		return err
	}
	expires, err := parseExpiry(flag(cmd, "expires"), cmd.Flag("expires").Changed)
	if err != nil {
		return err
	}
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	w, err := a.workspace(cmd.Context(), flag(cmd, "workspace"))
	if err != nil {
		return err
	}
	key, token, err := apikey.Create(rule.AsOperator(cmd.Context()), a.client, apikey.Request{Workspace: w.ID, Name: flag(cmd, "name"), Scope: scope, Expires: expires})
	if err != nil {
		return err
	}
	shown := showKey(key, w)
	shown.Token = token
	return a.print.result(shown, "Created key %s (%s) of workspace %q.\nIts token is shown this once:\n\n  %s", key.ID, key.Scope, w.Name, token)
}

func listKeys(cmd *cobra.Command, _ []string) error {
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	w, err := a.workspace(cmd.Context(), flag(cmd, "workspace"))
	if err != nil {
		return err
	}
	keys, err := apikey.List(rule.AsOperator(cmd.Context()), a.client, w.ID)
	if err != nil {
		return err
	}
	shown, rows := make([]keyJSON, len(keys)), make([][]string, len(keys))
	for i, k := range keys {
		shown[i] = showKey(k, w)
		rows[i] = []string{k.ID.String(), k.Prefix + "…", k.Scope,
			shown[i].LastUsedAt.or("never"), shown[i].ExpiresAt.or("never"), shown[i].RevokedAt.or("no"), k.Name}
	}
	return a.print.table(shown, []string{"ID", "PREFIX", "SCOPE", "LAST USED", "EXPIRES", "REVOKED", "NAME"}, rows)
}

func showKey(k *ent.APIKey, w *ent.Workspace) keyJSON {
	shown := keyJSON{ID: k.ID.String(), Workspace: w.Name, Name: k.Name, Prefix: k.Prefix, Scope: k.Scope,
		CreatedAt: moment{&k.CreatedAt}, LastUsedAt: moment{k.LastUsedAt}, ExpiresAt: moment{k.ExpiresAt}, RevokedAt: moment{k.RevokedAt}}
	if k.Replaces != nil {
		shown.Replaces = k.Replaces.String()
	}
	return shown
}

// parseExpiry reads a moment or a duration from now, in the future. Not given is
// never; an empty one, such as an unset variable of a shell, is a mistake.
func parseExpiry(s string, given bool) (*time.Time, error) {
	if !given {
		return nil, nil
	}
	at, err := time.Parse(time.RFC3339, s)
	if d, durationErr := time.ParseDuration(s); durationErr == nil {
		at, err = time.Now().Add(d), nil
	}
	if err != nil {
		return nil, errors.New("expires must be a moment such as 2027-01-31T00:00:00Z or a duration such as 720h")
	}
	if !at.After(time.Now()) {
		return nil, errors.New("expires must be in the future")
	}
	at = at.UTC().Truncate(time.Millisecond)
	return &at, nil
}

func keyID(s string) (uuid.UUID, error) {
	id, err := scalar.ParseUUID(s)
	if err != nil {
		return id, fmt.Errorf("%q is not the id of a key; see `records key list`", s)
	}
	return id, nil
}

// flag returns the value of a flag that the command declares.
func flag(cmd *cobra.Command, name string) string { return cmd.Flag(name).Value.String() }

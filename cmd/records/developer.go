package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"records/ent/rule"
	"records/internal/account"
	"records/internal/developer"
	"records/internal/identity"
	"records/internal/viewer"
)

// invitationJSON is an invitation in the output of --json. Its link is shown this once.
type invitationJSON struct {
	ID        string  `json:"id"`
	Link      string  `json:"link"`
	Workspace string  `json:"workspace"`
	Role      string  `json:"role"`
	Email     *string `json:"email"`
	ExpiresAt moment  `json:"expires_at"`
}

// invite is how the first owner of a workspace comes in.
func invite(cmd *cobra.Command, args []string) error {
	role, err := viewer.ParseRole(flag(cmd, "role"))
	if err != nil {
		return err
	}
	email := flag(cmd, "email")
	if cmd.Flag("email").Changed { // an empty one, such as an unset variable of a shell, is a mistake
		if err := account.CheckEmail(email); err != nil {
			return fmt.Errorf("the email address %w", err)
		}
	}
	a, err := open(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	url := a.developerURL(a.config.Addr)
	if strings.HasSuffix(url, ":0") {
		return errors.New("developer.url: must be set for a link, since addr has port 0")
	}
	w, err := a.workspace(cmd.Context(), args[0])
	if err != nil {
		return err
	}
	i, token, err := account.Invite(rule.AsOperator(cmd.Context()), a.client, w.ID, role, email)
	if err != nil {
		return err
	}
	shown := invitationJSON{i.ID.String(), account.InvitationLink(url, token), w.Name, i.Role, i.Email, moment{&i.ExpiresAt}}
	return a.print.result(shown, "Whoever opens this link becomes %s of workspace %q. It is good once, until %s, and shown this once:\n\n  %s",
		map[viewer.Role]string{viewer.RoleOwner: "an owner", viewer.RoleDeveloper: "a developer", viewer.RoleViewer: "a viewer"}[role],
		w.Name, shown.ExpiresAt.or(""), shown.Link)
}

// firstOwner returns a link for the first owner of a workspace, "" if it has one.
func (a *app) firstOwner(ctx context.Context, workspace uuid.UUID, url string) (string, error) {
	owned, err := account.HasOwner(ctx, a.client, workspace)
	if err != nil || owned {
		return "", err
	}
	_, token, err := account.Invite(rule.AsOperator(ctx), a.client, workspace, viewer.RoleOwner, "")
	return account.InvitationLink(url, token), err
}

// developerURL is where people reach the developer area: where they are told to, or
// else at the address that the program listens on.
func (a *app) developerURL(listening string) string {
	if a.config.Developer.URL != "" {
		return a.config.Developer.URL
	}
	host, port, err := net.SplitHostPort(listening)
	if err != nil {
		return "http://" + listening // the setting was checked
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, port)
}

// identity is the provider that people can sign in with, nil for none.
func (a *app) identity(url string) *identity.Provider {
	o := a.config.OIDC
	if o.Issuer == "" {
		return nil
	}
	return identity.New(identity.Settings{
		Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: o.ClientSecret, Name: o.Name, Redirect: url + developer.IdentityPath,
	})
}

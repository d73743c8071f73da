package account

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/invitation"
	"records/ent/predicate"
	"records/ent/rule"
	"records/internal/viewer"
)

// InvitationLife is how long a link is good.
const InvitationLife = 7 * 24 * time.Hour

// invitationToken is how many random bytes a link has, and tokenLength how many
// characters they make in base64url.
const invitationToken, tokenLength = 32, 43

// InvitationPath is where a link leads, less its token.
const InvitationPath = "/invitations/"

// InvitationLink is a link of the developer area at an address.
func InvitationLink(address, token string) string { return address + InvitationPath + token }

// ErrNoInvitation is the one answer to a link that was accepted, revoked, is over,
// or never was.
var ErrNoInvitation = errors.New("there is no such invitation, or no longer")

// Invite makes a link by which somebody becomes a member of a workspace, for an
// owner of it or for the operator. With an email address it is for that user alone.
// The token is returned this once and stored nowhere.
func Invite(ctx context.Context, client *ent.Client, workspace uuid.UUID, role viewer.Role, email string) (made *ent.Invitation, token string, err error) {
	secret := make([]byte, invitationToken)
	_, _ = rand.Read(secret) // never fails: crypto/rand ends the program instead
	token = base64.RawURLEncoding.EncodeToString(secret)
	var address *string
	detail := "anyone with the link, as " + string(role)
	if email = normal(email); email != "" {
		if err := CheckEmail(email); err != nil {
			return nil, "", fmt.Errorf("the email address %w", err)
		}
		address, detail = &email, email+", as "+string(role)
	}
	err = change(ctx, client, workspace, func(ctx context.Context, tx *ent.Client) (err error) {
		made, err = tx.Invitation.Create().SetWorkspaceID(workspace).SetNillableUserID(actor(ctx)).SetRole(string(role)).SetNillableEmail(address).
			SetHash(hashOfToken(token)).SetExpiresAt(now().Add(InvitationLife)).Save(ctx)
		if err != nil {
			return err
		}
		return record(ctx, tx, workspace, actor(ctx), "member.invited", detail)
	})
	if err != nil {
		return nil, "", err
	}
	return made, token, nil
}

// RevokeInvitation ends a link of the workspace that is at hand. One that is no
// longer open is as one that never was.
func RevokeInvitation(ctx context.Context, client *ent.Client, id uuid.UUID) error {
	p, _ := viewer.PersonFromContext(ctx)
	return change(ctx, client, p.Workspace, func(ctx context.Context, tx *ent.Client) error {
		i, err := tx.Invitation.Query().Where(invitation.ID(id), Open()).Only(ctx)
		if err != nil {
			return err
		}
		n, err := tx.Invitation.Update().Where(invitation.ID(id), Open()).SetRevokedAt(now()).Save(ctx)
		if err != nil {
			return err
		}
		if n == 0 { // accepted at this moment
			return ErrNoInvitation
		}
		whom := "anyone with the link"
		if i.Email != nil {
			whom = *i.Email
		}
		return record(ctx, tx, p.Workspace, &p.User, "invitation.revoked", whom+", as "+i.Role)
	})
}

// Open are the invitations that can be accepted.
func Open() predicate.Invitation {
	return invitation.And(invitation.AcceptedAtIsNil(), invitation.RevokedAtIsNil(), invitation.ExpiresAtGT(now()))
}

// Invitation returns the open one of a link's token, with its workspace and who
// invites, or ErrNoInvitation.
func Invitation(ctx context.Context, client *ent.Client, token string) (*ent.Invitation, error) {
	if len(token) != tokenLength {
		return nil, ErrNoInvitation
	}
	return openInvitation(ctx, client, invitation.Hash(hashOfToken(token)))
}

// InvitationOf is Invitation for one that was found by its token before.
func InvitationOf(ctx context.Context, client *ent.Client, id uuid.UUID) (*ent.Invitation, error) {
	return openInvitation(ctx, client, invitation.ID(id))
}

func openInvitation(ctx context.Context, client *ent.Client, which predicate.Invitation) (*ent.Invitation, error) {
	i, err := client.Invitation.Query().Where(which, Open()).WithWorkspace().WithUser().Only(rule.AsOperator(ctx))
	if ent.IsNotFound(err) {
		return nil, ErrNoInvitation
	}
	return i, err
}

// hashOfToken needs no salt, for a token is long and random.
func hashOfToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

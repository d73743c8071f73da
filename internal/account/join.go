package account

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/invitation"
	"records/ent/member"
	"records/ent/rule"
	"records/ent/user"
	"records/internal/viewer"
)

// Why an invitation is not accepted, though it is open.
var (
	ErrOtherAddress = errors.New("the invitation is for another email address")
	ErrMember       = errors.New("the user is a member of the workspace already")
)

// Accept makes a user a member of the workspace that an invitation is to.
func Accept(ctx context.Context, client *ent.Client, id, who uuid.UUID) error {
	_, err := accept(ctx, client, id, func(ctx context.Context, tx *ent.Client) (*ent.User, error) {
		return tx.User.Query().Where(user.ID(who)).Only(ctx)
	})
	return err
}

// AcceptAsNew makes a new user who is a member of the workspace that an invitation is to.
func AcceptAsNew(ctx context.Context, client *ent.Client, id uuid.UUID, n NewUser) (*ent.User, error) {
	hash, err := hashOf(ctx, n.Password) // takes long, and SQLite has one transaction at a time
	if err != nil {
		return nil, err
	}
	return accept(ctx, client, id, func(ctx context.Context, tx *ent.Client) (*ent.User, error) { return n.create(ctx, tx, hash) })
}

// accept uses an invitation up, in the transaction that makes the member: of two
// who come at once, one finds it open. The context is the operator's, for who
// accepts is no member yet.
func accept(ctx context.Context, client *ent.Client, id uuid.UUID, by func(ctx context.Context, tx *ent.Client) (*ent.User, error)) (*ent.User, error) {
	ctx = rule.AsOperator(ctx)
	tx, err := client.Tx(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	n, err := tx.Invitation.Update().Where(invitation.ID(id), Open()).SetAcceptedAt(now()).Save(ctx)
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, ErrNoInvitation
	}
	i, err := tx.Invitation.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	u, err := by(ctx, tx.Client())
	if err != nil {
		return nil, err
	}
	if i.Email != nil && *i.Email != u.Email {
		return nil, ErrOtherAddress
	}
	if err := join(ctx, tx.Client(), i, u); err != nil {
		return nil, err
	}
	return u, tx.Commit()
}

func join(ctx context.Context, tx *ent.Client, i *ent.Invitation, u *ent.User) error {
	there, err := tx.Member.Query().Where(member.WorkspaceID(i.WorkspaceID), member.UserID(u.ID)).Exist(ctx)
	if err != nil {
		return err
	}
	if there {
		return ErrMember
	}
	if err := Join(ctx, tx, i.WorkspaceID, u.ID, viewer.Role(i.Role)); err != nil {
		return err
	}
	return record(ctx, tx, i.WorkspaceID, &u.ID, "member.joined", fmt.Sprintf("%s (%s), as %s", u.Name, u.Email, i.Role))
}

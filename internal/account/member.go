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
	"records/internal/viewer"
)

// ErrLastOwner is the answer to what would leave a workspace without an owner.
var ErrLastOwner = errors.New("a workspace keeps at least one owner")

// SetRole gives a member of the workspace that is at hand another role. It holds
// from their next request on.
func SetRole(ctx context.Context, client *ent.Client, id uuid.UUID, role viewer.Role) error {
	p, _ := viewer.PersonFromContext(ctx)
	return change(ctx, client, p.Workspace, func(ctx context.Context, tx *ent.Client) error {
		m, err := tx.Member.Query().Where(member.ID(id)).WithUser().Only(ctx)
		if err != nil {
			return err
		}
		if err := tx.Member.Update().Where(member.ID(id)).SetRole(string(role)).Exec(ctx); err != nil {
			return err
		}
		if m.Role == string(role) {
			return nil
		}
		if err := afterLoss(ctx, tx, m); err != nil {
			return err
		}
		detail := fmt.Sprintf("%s (%s), from %s to %s", m.Edges.User.Name, m.Edges.User.Email, m.Role, role)
		return record(ctx, tx, m.WorkspaceID, &p.User, "member.role_changed", detail)
	})
}

// RemoveMember ends a membership of the workspace that is at hand: an owner that of
// anybody, everybody their own. The workspace is closed to them from their next
// request on.
func RemoveMember(ctx context.Context, client *ent.Client, id uuid.UUID) error {
	p, _ := viewer.PersonFromContext(ctx)
	return change(ctx, client, p.Workspace, func(ctx context.Context, tx *ent.Client) error {
		m, err := tx.Member.Query().Where(member.ID(id)).WithUser().Only(ctx)
		if err != nil {
			return err
		}
		remover, how := ctx, "removed"
		if m.UserID == p.User {
			remover, how = rule.AsOperator(ctx), "left" // which takes no role
		}
		if _, err := tx.Member.Delete().Where(member.ID(id)).Exec(remover); err != nil {
			return err
		}
		if err := afterLoss(ctx, tx, m); err != nil {
			return err
		}
		detail := fmt.Sprintf("%s (%s), %s, %s", m.Edges.User.Name, m.Edges.User.Email, m.Role, how)
		return record(ctx, tx, m.WorkspaceID, &p.User, "member.removed", detail)
	})
}

// afterLoss refuses what left nobody to own the workspace. The invitations of an
// owner who is one no longer end: they would be a way back.
func afterLoss(ctx context.Context, tx *ent.Client, before *ent.Member) error {
	if before.Role != string(viewer.RoleOwner) {
		return nil
	}
	ctx = rule.AsOperator(ctx)
	owners, err := tx.Member.Query().Where(member.WorkspaceID(before.WorkspaceID), member.Role(string(viewer.RoleOwner))).Count(ctx)
	if err != nil {
		return err
	}
	if owners == 0 {
		return ErrLastOwner
	}
	return tx.Invitation.Update().
		Where(invitation.WorkspaceID(before.WorkspaceID), invitation.UserID(before.UserID), invitation.AcceptedAtIsNil(), invitation.RevokedAtIsNil()).
		SetRevokedAt(now()).Exec(ctx)
}

// HasOwner reports whether somebody owns a workspace.
func HasOwner(ctx context.Context, client *ent.Client, workspace uuid.UUID) (bool, error) {
	return client.Member.Query().Where(member.WorkspaceID(workspace), member.Role(string(viewer.RoleOwner))).Exist(rule.AsOperator(ctx))
}

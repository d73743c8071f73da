package account

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/scalar"
	"records/internal/viewer"
)

// CreateUser makes a user who signs in with a password.
func CreateUser(ctx context.Context, client *ent.Client, email, name, password string) (*ent.User, error) {
	email = normal(email)
	if err := scalar.CheckEmail(email); err != nil {
		return nil, fmt.Errorf("the email address %w", err)
	}
	if err := scalar.CheckName(name); err != nil {
		return nil, fmt.Errorf("the name %w", err)
	}
	if err := CheckPassword(password); err != nil {
		return nil, fmt.Errorf("the password %w", err)
	}
	hash, err := hashOf(ctx, password)
	if err != nil {
		return nil, err
	}
	return client.User.Create().SetEmail(email).SetName(name).SetPasswordHash(hash).Save(rule.AsOperator(ctx))
}

// Join makes a user a member of a workspace.
func Join(ctx context.Context, client *ent.Client, workspace, user uuid.UUID, role viewer.Role) error {
	return client.Member.Create().SetWorkspaceID(workspace).SetUserID(user).SetRole(string(role)).Exec(rule.AsOperator(ctx))
}

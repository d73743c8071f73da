package account

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/database"
	"records/internal/scalar"
	"records/internal/viewer"
)

// maxEmail bounds an email address, in characters, as it does those of records.
const maxEmail = 254

// ErrAddressTaken is the answer to whoever would be a new user with the email
// address of another one.
var ErrAddressTaken = errors.New("there is a user with this email address already")

// NewUser is somebody who is going to sign in with a password.
type NewUser struct {
	Email, Name, Password string
}

// Faults returns what is wrong with it, by field; none if all is well.
func (n NewUser) Faults() map[string]string {
	faults := map[string]string{}
	for field, err := range map[string]error{
		"email": CheckEmail(n.Email), "name": scalar.CheckName(n.Name), "password": CheckPassword(n.Password, n.Email, n.Name),
	} {
		if err != nil {
			faults[field] = err.Error()
		}
	}
	return faults
}

// CheckEmail returns what is wrong with an address that somebody is to sign in with.
func CheckEmail(email string) error {
	if utf8.RuneCountInString(email) > maxEmail {
		return errors.New("must be at most 254 characters long")
	}
	return scalar.CheckEmail(normal(email))
}

// CreateUser makes a user without faults, who is a member of nothing.
func CreateUser(ctx context.Context, client *ent.Client, n NewUser) (*ent.User, error) {
	hash, err := hashOf(ctx, n.Password)
	if err != nil {
		return nil, err
	}
	return n.create(ctx, client, hash)
}

func (n NewUser) create(ctx context.Context, client *ent.Client, hash string) (*ent.User, error) {
	u, err := client.User.Create().SetEmail(normal(n.Email)).SetName(n.Name).SetPasswordHash(hash).SetSignedInAt(now()).Save(rule.AsOperator(ctx))
	if database.IsUniqueViolation(err) {
		return nil, ErrAddressTaken
	}
	return u, err
}

// Join makes a user a member of a workspace.
func Join(ctx context.Context, client *ent.Client, workspace, user uuid.UUID, role viewer.Role) error {
	return client.Member.Create().SetWorkspaceID(workspace).SetUserID(user).SetRole(string(role)).Exec(rule.AsOperator(ctx))
}

// normal is an email address as it is kept.
func normal(email string) string { return strings.ToLower(strings.TrimSpace(email)) }

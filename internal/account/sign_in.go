package account

import (
	"context"
	"time"

	"records/ent"
	"records/ent/rule"
	"records/ent/user"
	"records/internal/scalar"
)

// SignIn returns the user with an email address and a password, or ErrRefused. It
// does the same work where there is no such user, or one without a password.
func SignIn(ctx context.Context, client *ent.Client, email, password string) (*ent.User, error) {
	ctx = rule.AsOperator(ctx)
	u, err := withAddress(ctx, client, email)
	if err != nil {
		return nil, err
	}
	hash := nobody
	if u != nil && u.PasswordHash != nil {
		hash = *u.PasswordHash
	}
	ok, err := matches(ctx, password, hash)
	if err != nil {
		return nil, err
	}
	if !ok || hash == nobody {
		return nil, ErrRefused
	}
	// The password may have been changed while it was compared.
	n, err := client.User.Update().Where(user.ID(u.ID), user.PasswordHash(hash)).SetSignedInAt(now()).Save(ctx)
	if err == nil && n == 0 {
		err = ErrRefused
	}
	return u, err
}

// withAddress returns the user with an email address, nil if there is none. The
// context is the operator's.
func withAddress(ctx context.Context, client *ent.Client, email string) (*ent.User, error) {
	email = normal(email)
	if wrong := scalar.CheckEmail(email); wrong != nil {
		return nil, nil //nolint:nilerr // what is no address belongs to nobody, and the database would not take all of it
	}
	u, err := client.User.Query().Where(user.Email(email)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return u, err
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

package account

import (
	"context"
	"errors"
	"strings"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/ent/session"
	"records/ent/user"
	"records/internal/database"
	"records/internal/scalar"
)

// Identity is who somebody is to a provider of OpenID Connect.
type Identity struct {
	Issuer, Subject string // together they name a person for ever
	Email           string
	EmailVerified   bool // the provider says that the address is theirs
	Name            string
}

// Why an identity opens nothing.
var (
	ErrUnknown    = errors.New("nobody has this identity, and it comes with no invitation")
	ErrUnverified = errors.New("the provider does not vouch for the email address")
)

// SignInBy returns the user whom an identity is bound to. The first time, that is
// the user with its email address, if the provider vouches for it: nobody has proved
// to us before that the address is theirs, so that their password and sessions end,
// which may be those of someone who only gave that address. It makes no user:
// ErrUnknown, and ErrUnverified whether there is one with that address or not.
func SignInBy(ctx context.Context, client *ent.Client, i Identity) (u *ent.User, linked bool, err error) {
	ctx = rule.AsOperator(ctx)
	u, err = client.User.Query().Where(user.Issuer(i.Issuer), user.Subject(i.Subject)).Only(ctx)
	if err == nil {
		return u, false, client.User.Update().Where(user.ID(u.ID)).SetSignedInAt(now()).Exec(ctx)
	}
	if !ent.IsNotFound(err) {
		return nil, false, err
	}
	if !i.EmailVerified {
		return nil, false, ErrUnverified
	}
	if u, err = withAddress(ctx, client, i.Email); err != nil {
		return nil, false, err
	}
	if u == nil || u.Issuer != nil {
		return nil, false, ErrUnknown
	}
	return u, true, bind(ctx, client, u.ID, i)
}

func bind(ctx context.Context, client *ent.Client, id uuid.UUID, i Identity) error {
	tx, err := client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	n, err := tx.User.Update().Where(user.ID(id), user.IssuerIsNil()).
		SetIssuer(i.Issuer).SetSubject(i.Subject).ClearPasswordHash().SetSignedInAt(now()).Save(ctx)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrUnknown
	}
	if _, err := tx.Session.Delete().Where(session.UserID(id)).Exec(ctx); err != nil {
		return err
	}
	return tx.Commit()
}

// AcceptBy makes a new user of an identity, who is a member of the workspace that an
// invitation is to. The provider has to vouch for the address: ErrUnverified.
func AcceptBy(ctx context.Context, client *ent.Client, invitation uuid.UUID, i Identity) (*ent.User, error) {
	if !i.EmailVerified || CheckEmail(i.Email) != nil {
		return nil, ErrUnverified
	}
	return accept(ctx, client, invitation, func(ctx context.Context, tx *ent.Client) (*ent.User, error) {
		u, err := tx.User.Create().SetEmail(normal(i.Email)).SetName(i.name()).SetIssuer(i.Issuer).SetSubject(i.Subject).SetSignedInAt(now()).Save(ctx)
		if database.IsUniqueViolation(err) {
			return nil, ErrAddressTaken
		}
		return u, err
	})
}

// name is what the provider calls them, or else their address.
func (i Identity) name() string {
	if name := strings.TrimSpace(i.Name); scalar.CheckName(name) == nil {
		return name
	}
	return normal(i.Email)
}

package account

import (
	"context"

	"records/ent"
	"records/ent/user"
)

// ChangePassword gives who is signed in another password, or their first, and ends
// their other sessions. ErrRefused if the present one is wrong.
func (s Sessions) ChangePassword(ctx context.Context, client *ent.Client, u *ent.User, present, next string) error {
	unchanged := user.PasswordHashIsNil()
	if u.PasswordHash != nil {
		ok, err := matches(ctx, present, *u.PasswordHash)
		if err != nil {
			return err
		}
		if !ok {
			return ErrRefused
		}
		unchanged = user.PasswordHash(*u.PasswordHash)
	}
	hash, err := hashOf(ctx, next)
	if err != nil {
		return err
	}
	tx, err := client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	n, err := tx.User.Update().Where(user.ID(u.ID), unchanged).SetPasswordHash(hash).Save(ctx)
	if err != nil {
		return err
	}
	if n == 0 { // changed at this moment, elsewhere
		return ErrRefused
	}
	if err := s.EndOthers(ctx, tx.Client()); err != nil {
		return err
	}
	u.PasswordHash = &hash
	return tx.Commit()
}

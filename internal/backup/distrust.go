package backup

import (
	"context"
	"time"

	"records/ent"
	entapikey "records/ent/apikey"
	"records/ent/invitation"
	"records/internal/apikey"
)

// RevokeAll ends every key, every open invitation and every session of a database
// that was restored, for where nobody knows any more what was taken away since the
// backup. It returns how many keys. The context is the operator's.
func RevokeAll(ctx context.Context, client *ent.Client) (keys int, err error) {
	tx, err := client.Tx(ctx)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	open, err := tx.APIKey.Query().Where(entapikey.RevokedAtIsNil()).IDs(ctx)
	if err != nil {
		return 0, err
	}
	for _, id := range open {
		if err := apikey.Revoke(ctx, tx.Client(), id); err != nil {
			return 0, err
		}
	}
	if err := tx.Invitation.Update().Where(invitation.AcceptedAtIsNil(), invitation.RevokedAtIsNil()).SetRevokedAt(time.Now().UTC().Truncate(time.Millisecond)).Exec(ctx); err != nil {
		return 0, err
	}
	if _, err := tx.Session.Delete().Exec(ctx); err != nil {
		return 0, err
	}
	return len(open), tx.Commit()
}

package apikey

import (
	"context"
	"errors"
	"time"

	"records/ent"
	"records/internal/account"
	"records/internal/viewer"
)

// action is what was done to a key, as it is recorded.
type action string

const (
	created       action = "key.created"
	renamed       action = "key.renamed"
	scopeChanged  action = "key.scope_changed"
	expiryChanged action = "key.expiry_changed"
	rotated       action = "key.rotated"
	revoked       action = "key.revoked"
)

// record writes down what was done to a key. Who did it, the policy puts there.
func record(ctx context.Context, tx *ent.Client, key *ent.APIKey, what action, detail string) error {
	return tx.AuditEvent.Create().SetWorkspaceID(key.WorkspaceID).SetKeyID(key.ID).SetAction(string(what)).SetDetail(detail).Exec(ctx)
}

func quoted(name string) string { return "“" + name + "”" }

// until is an expiry in words.
func until(expires *time.Time) string {
	if expires == nil {
		return "no expiry"
	}
	return "expiry " + expires.UTC().Format("2006-01-02 15:04:05 UTC")
}

// within runs f in a transaction, of its own unless the client is one of another,
// and undoes it if f fails. A person acts in it by the role that they have now, and
// keep until it ends: whoever was removed meanwhile does nothing more.
func within(ctx context.Context, client *ent.Client, f func(ctx context.Context, tx *ent.Client) error) error {
	tx, err := client.Tx(ctx)
	if errors.Is(err, ent.ErrTxStarted) {
		return asMember(ctx, client, f)
	}
	if err != nil {
		return err
	}
	if err := asMember(ctx, tx.Client(), f); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func asMember(ctx context.Context, tx *ent.Client, f func(ctx context.Context, tx *ent.Client) error) (err error) {
	if p, ok := viewer.PersonFromContext(ctx); ok {
		if ctx, err = account.Stay(ctx, tx, p.Workspace); err != nil {
			return err
		}
	}
	return f(ctx, tx)
}

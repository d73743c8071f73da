package apikey

import (
	"context"
	"errors"
	"time"

	"records/ent"
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
// and undoes it if f fails.
func within(ctx context.Context, client *ent.Client, f func(tx *ent.Client) error) error {
	tx, err := client.Tx(ctx)
	if errors.Is(err, ent.ErrTxStarted) {
		return f(client)
	}
	if err != nil {
		return err
	}
	if err := f(tx.Client()); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

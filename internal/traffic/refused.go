package traffic

import (
	"context"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/refusedrequest"
	"records/internal/database"
)

const (
	// keptRefused is how many refused requests of a key are kept at least.
	keptRefused = 100
	// trimEvery is after how many more the oldest ones of a key are removed.
	trimEvery = 50
	// maxTrims is of how many keys that is remembered. Those that are forgotten begin
	// anew, and what they leave goes with its age.
	maxTrims = 10_000
)

// writeRefused writes the refused requests, and trims what their keys have.
func (b *book) writeRefused(ctx context.Context) error {
	for batch := range batches(b.refused) {
		if err := b.insertRefused(ctx, batch); err != nil {
			return err
		}
		b.refused = b.refused[len(batch):]
	}
	b.refused = nil // and the memory behind it
	for key, n := range b.since {
		if n < trimEvery {
			continue
		}
		if err := b.trim(ctx, key); err != nil {
			return err
		}
		delete(b.since, key)
	}
	if len(b.since) > maxTrims {
		clear(b.since)
	}
	return nil
}

// insertRefused writes a batch. Those that are there already, by a write whose answer
// was lost, stay as they are.
func (b *book) insertRefused(ctx context.Context, batch []*ent.RefusedRequest) error {
	err := b.client.RefusedRequest.MapCreateBulk(batch, func(c *ent.RefusedRequestCreate, i int) {
		r := batch[i]
		c.SetID(r.ID).SetWorkspaceID(r.WorkspaceID).SetKeyID(r.KeyID).SetAt(r.At).SetStatus(r.Status).
			SetCode(r.Code).SetMethod(r.Method).SetRoute(r.Route).SetRequestID(r.RequestID)
	}).Exec(ctx)
	if database.IsUniqueViolation(err) {
		if len(batch) == 1 {
			return nil
		}
		for i := range batch {
			if err := b.insertRefused(ctx, batch[i:i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	if err == nil {
		for _, r := range batch {
			b.since[r.KeyID]++
		}
	}
	return err
}

// trim leaves the last of a key's refused requests.
func (b *book) trim(ctx context.Context, key uuid.UUID) error {
	last, err := b.client.RefusedRequest.Query().Where(refusedrequest.KeyID(key)).
		Order(ent.Desc(refusedrequest.FieldID)).Offset(keptRefused).FirstID(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = b.client.RefusedRequest.Delete().Where(refusedrequest.KeyID(key), refusedrequest.IDLTE(last)).Exec(ctx)
	return err
}

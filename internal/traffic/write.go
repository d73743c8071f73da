package traffic

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/keytraffic"
	"records/internal/database"
)

// maxBatch is how many rows one statement writes.
const maxBatch = 256

// insert writes rows that are new, each under an id of its own, so that it is there
// once however often it is sent.
func (b *book) insert(ctx context.Context, rows []*row, now time.Time) error {
	for batch := range batches(rows) {
		err := b.insertBatch(ctx, batch, now)
		if !database.IsUniqueViolation(err) {
			if err != nil {
				return err
			}
			continue
		}
		for _, r := range batch { // some are there, by a write whose answer was lost
			err := b.insertBatch(ctx, []*row{r}, now)
			if database.IsUniqueViolation(err) {
				r.there, r.written = true, -1
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *book) insertBatch(ctx context.Context, rows []*row, now time.Time) error {
	err := b.client.KeyTraffic.MapCreateBulk(rows, func(c *ent.KeyTrafficCreate, i int) {
		r := rows[i]
		c.SetID(r.id).SetWorkspaceID(r.workspace).SetKeyID(r.key).SetStart(time.Unix(r.start, 0).UTC()).
			SetSeconds(r.seconds).SetStatus(r.status).SetRequests(r.requests)
	}).Exec(ctx)
	if err != nil {
		return err
	}
	for _, r := range rows {
		r.there, r.written, r.at = true, r.requests, now
	}
	return nil
}

// update writes the present number into rows that are there, those of one number in
// one statement, and many statements in a transaction. A number does not depend on the
// one before it, so that it may be sent again.
func (b *book) update(ctx context.Context, rows []*row, now time.Time) error {
	slices.SortFunc(rows, func(x, y *row) int { return cmp.Compare(x.requests, y.requests) })
	for batch := range slices.Chunk(rows, maxBatch) {
		if err := b.updateBatch(ctx, batch); err != nil {
			return err
		}
		for _, r := range batch {
			r.written, r.at = r.requests, now
		}
	}
	return nil
}

func (b *book) updateBatch(ctx context.Context, rows []*row) error {
	tx, err := b.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for len(rows) > 0 {
		n := rows[0].requests
		var ids []uuid.UUID
		for len(rows) > 0 && rows[0].requests == n {
			ids, rows = append(ids, rows[0].id), rows[1:]
		}
		for some := range batches(ids) {
			if err := tx.KeyTraffic.Update().Where(keytraffic.IDIn(some...)).SetRequests(n).Exec(ctx); err != nil {
				return err
			}
		}
	}
	return tx.Commit()
}

// batches cuts rows into lengths that are powers of two. So there are few texts of
// statements, which the connections keep prepared.
func batches[T any](all []T) func(yield func([]T) bool) {
	return func(yield func([]T) bool) {
		for len(all) > 0 {
			n := min(maxBatch, 1<<(bits.Len(uint(len(all)))-1))
			if !yield(all[:n:n]) {
				return
			}
			all = all[n:]
		}
	}
}

package traffic

import (
	"context"
	"encoding/binary"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"records/ent/keytraffic"
	"records/ent/refusedrequest"
	"records/ent/rule"
)

const (
	minuteLife  = 3 * time.Hour  // a page shows 60 of them, and makes the last two hours of them
	hourLife    = 25 * time.Hour // a page shows 24
	refusedLife = 25 * time.Hour

	// removeBatch is how many rows one statement removes, and removeBatches how many
	// statements follow each other.
	removeBatch, removeBatches = 1000, 50
)

// remove removes what is old, whichever process wrote it. What it leaves, because
// there is too much, is for the next time.
func (r *Recorder) remove(ctx context.Context, now time.Time) error {
	ctx, cancel := context.WithTimeout(rule.AsOperator(context.WithoutCancel(ctx)), writeTimeout)
	defer cancel()
	client := r.book.client
	rows := func(seconds int16, before time.Time) func() (int, error) {
		old := oldest(keytraffic.Table, keytraffic.FieldStart, func() *sql.Predicate {
			return sql.And(sql.EQ(keytraffic.FieldSeconds, seconds), sql.LT(keytraffic.FieldStart, before.UTC()))
		})
		return func() (int, error) { return client.KeyTraffic.Delete().Where(old).Exec(ctx) }
	}
	refused := func() (int, error) {
		old := oldest(refusedrequest.Table, refusedrequest.FieldID, func() *sql.Predicate {
			return sql.LT(refusedrequest.FieldID, firstID(now.Add(-refusedLife)))
		})
		return client.RefusedRequest.Delete().Where(old).Exec(ctx)
	}
	for _, remove := range []func() (int, error){rows(60, now.Add(-minuteLife)), rows(3600, now.Add(-hourLife)), refused} {
		for range removeBatches {
			n, err := remove()
			if err != nil {
				return err
			}
			if n < removeBatch {
				break
			}
		}
	}
	return nil
}

// oldest chooses the first rows of a table, in the order of an index, that a
// condition holds for.
func oldest(table, order string, condition func() *sql.Predicate) func(*sql.Selector) {
	return func(s *sql.Selector) {
		t := sql.Dialect(s.Dialect()).Table(table)
		s.Where(sql.In("id", sql.Dialect(s.Dialect()).Select("id").From(t).Where(condition()).OrderBy(order).Limit(removeBatch)))
	}
}

// firstID is the least UUID of version 7 of a moment (RFC 9562).
func firstID(t time.Time) (id uuid.UUID) {
	binary.BigEndian.PutUint64(id[:], uint64(t.UnixMilli())<<16)
	id[6], id[8] = 0x70, 0x80
	return id
}

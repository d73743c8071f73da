package traffic

import (
	"context"
	"time"

	"github.com/google/uuid"

	"records/ent"
)

// maxRows is how many rows are remembered, some 20 MB, should so many be in use.
// With the database away it is how much can wait for it.
const maxRows = 1 << 17

// hoursEvery is how often the row of an hour is written. Its minutes are written as
// they come, and tell of the hour until it is over.
const hoursEvery = time.Minute

// book are this process's rows in the database, and what they are yet to hold. A row
// is remembered for as long as its minute or its hour lasts, and may be forgotten
// before: what comes later then goes into another one.
type book struct {
	client  *ent.Client
	rows    map[rowKey]*row
	refused []*ent.RefusedRequest // not written yet, oldest first
	since   map[uuid.UUID]int     // how many refused requests of a key were written since the last trim
}

type rowKey struct {
	key     uuid.UUID
	start   int64 // seconds since 1970
	seconds int16
	status  int16
}

type row struct {
	id, workspace uuid.UUID
	rowKey
	requests int64
	written  int64     // of them
	at       time.Time // when
	there    bool      // in the database
}

func newBook(client *ent.Client) book {
	return book{client: client, rows: map[rowKey]*row{}, since: map[uuid.UUID]int{}}
}

// add counts into the row of the minute and into that of the hour. It reports how
// many requests had no room in one of them.
func (b *book) add(c cell, n count) (lost int64) {
	for _, seconds := range []int64{60, 3600} {
		start := c.minute * 60
		k := rowKey{c.key, start - start%seconds, int16(seconds), c.status}
		found := b.rows[k]
		if found == nil {
			if len(b.rows) >= maxRows {
				lost = n.requests
				continue
			}
			found = &row{id: uuid.Must(uuid.NewV7()), workspace: n.workspace, rowKey: k}
			b.rows[k] = found
		}
		found.requests += n.requests
	}
	return lost
}

// refuse keeps refused requests for the next writing: the last ones, where there are
// too many.
func (b *book) refuse(all []*ent.RefusedRequest) {
	b.refused = append(b.refused, all...)
	b.refused = b.refused[max(0, len(b.refused)-maxRefused):]
}

// write writes what is not written yet; the hours, which change with each minute, only
// now and then, unless all is to be written. It stops at the first error, and what
// remains is for the next time.
func (b *book) write(ctx context.Context, now time.Time, all bool) error {
	var fresh, changed []*row
	many := len(b.rows) > maxRows/2
	for _, r := range b.rows {
		switch {
		case r.requests == r.written:
		case !r.there:
			fresh = append(fresh, r)
		case all, many, r.seconds == 60, r.over(now), now.Sub(r.at) >= hoursEvery:
			changed = append(changed, r)
		}
	}
	if err := b.insert(ctx, fresh, now); err != nil {
		return err
	}
	for _, r := range fresh { // by a write whose answer was lost, with the number it had then
		if r.requests != r.written {
			changed = append(changed, r)
		}
	}
	if err := b.update(ctx, changed, now); err != nil {
		return err
	}
	for k, r := range b.rows {
		if r.requests == r.written && (many || r.over(now)) {
			delete(b.rows, k)
		}
	}
	return b.writeRefused(ctx)
}

// over reports whether the minute or the hour of a row has ended.
func (r *row) over(now time.Time) bool { return r.start+int64(r.seconds) <= now.Unix() }

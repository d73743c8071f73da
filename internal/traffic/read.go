package traffic

import (
	"context"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/keytraffic"
	"records/ent/predicate"
	"records/ent/refusedrequest"
)

// Slot is what was asked in a minute or an hour: the number of requests by status.
type Slot struct {
	Start    time.Time
	ByStatus map[int]int64
}

// Total is how many requests that were.
func (s Slot) Total() (n int64) {
	for _, requests := range s.ByStatus {
		n += requests
	}
	return n
}

// Hour returns the last 60 minutes, oldest first, the present one included: of the
// workspace that ctx is asking in, or of one of its keys. What was asked in the last
// ten seconds may not be in it yet.
func Hour(ctx context.Context, client *ent.Client, key *uuid.UUID, now time.Time) ([]Slot, error) {
	first := now.UTC().Truncate(time.Minute).Add(-59 * time.Minute)
	slots := newSlots(first, time.Minute, 60)
	return slots, fill(ctx, client, slots, time.Minute, of(key, minutes(first)))
}

// Day returns the last 24 hours, as Hour does the minutes.
func Day(ctx context.Context, client *ent.Client, key *uuid.UUID, now time.Time) ([]Slot, error) {
	first, recent := dayOf(now)
	slots := newSlots(first, time.Hour, 24)
	if err := fill(ctx, client, slots, time.Hour, of(key, hours(first, recent))); err != nil {
		return nil, err
	}
	return slots, fill(ctx, client, slots, time.Hour, of(key, minutes(recent)))
}

// dayOf returns where the last 24 hours begin, and from where on they are made of
// minutes: the row of an hour is whole a while after the hour is over.
func dayOf(now time.Time) (first, recent time.Time) {
	hour := now.UTC().Truncate(time.Hour)
	return hour.Add(-23 * time.Hour), hour.Add(-time.Hour)
}

func minutes(since time.Time) predicate.KeyTraffic {
	return keytraffic.And(keytraffic.Seconds(60), keytraffic.StartGTE(since))
}

func hours(since, until time.Time) predicate.KeyTraffic {
	return keytraffic.And(keytraffic.Seconds(3600), keytraffic.StartGTE(since), keytraffic.StartLT(until))
}

func of(key *uuid.UUID, rows predicate.KeyTraffic) predicate.KeyTraffic {
	if key == nil {
		return rows
	}
	return keytraffic.And(keytraffic.KeyID(*key), rows)
}

func newSlots(first time.Time, length time.Duration, n int) []Slot {
	slots := make([]Slot, n)
	for i := range slots {
		slots[i] = Slot{first.Add(time.Duration(i) * length), map[int]int64{}}
	}
	return slots
}

// fill adds rows up into the slots that they belong to.
func fill(ctx context.Context, client *ent.Client, slots []Slot, length time.Duration, rows predicate.KeyTraffic) error {
	var sums []struct {
		Start  time.Time
		Status int
		Sum    int64
	}
	err := client.KeyTraffic.Query().Where(rows).
		GroupBy(keytraffic.FieldStart, keytraffic.FieldStatus).Aggregate(ent.Sum(keytraffic.FieldRequests)).Scan(ctx, &sums)
	for _, s := range sums {
		if i := int(s.Start.Sub(slots[0].Start) / length); i < len(slots) { // else by a clock ahead of ours
			slots[i].ByStatus[s.Status] += s.Sum
		}
	}
	return err
}

// KeySums is what one key has asked.
type KeySums struct {
	Hour, Day, Refused int64 // the last of the day
}

// ByKey returns the sums of each key that was used in the last day.
func ByKey(ctx context.Context, client *ent.Client, now time.Time) (map[uuid.UUID]KeySums, error) {
	all := map[uuid.UUID]KeySums{}
	sum := func(rows predicate.KeyTraffic, count func(k *KeySums, status int, n int64)) error {
		var sums []struct {
			Key    uuid.UUID `sql:"key_id"`
			Status int
			Sum    int64
		}
		err := client.KeyTraffic.Query().Where(rows).
			GroupBy(keytraffic.FieldKeyID, keytraffic.FieldStatus).Aggregate(ent.Sum(keytraffic.FieldRequests)).Scan(ctx, &sums)
		for _, s := range sums {
			k := all[s.Key]
			count(&k, s.Status, s.Sum)
			all[s.Key] = k
		}
		return err
	}
	first, recent := dayOf(now)
	if err := sum(keytraffic.Or(hours(first, recent), minutes(recent)), func(k *KeySums, status int, n int64) {
		if k.Day += n; status >= 400 {
			k.Refused += n
		}
	}); err != nil {
		return nil, err
	}
	return all, sum(minutes(now.UTC().Truncate(time.Minute).Add(-59*time.Minute)), func(k *KeySums, _ int, n int64) { k.Hour += n })
}

// Refused returns the last refused requests, newest first: of the workspace that ctx
// is asking in, or of one of its keys.
func Refused(ctx context.Context, client *ent.Client, key *uuid.UUID, most int) ([]*ent.RefusedRequest, error) {
	q := client.RefusedRequest.Query()
	if key != nil {
		q.Where(refusedrequest.KeyID(*key))
	}
	return q.Order(ent.Desc(refusedrequest.FieldID)).Limit(most).All(ctx)
}

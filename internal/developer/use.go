package developer

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/apikey"
	"records/internal/traffic"
)

const (
	shownRefused    = 100 // of a workspace
	shownRefusedKey = 20  // of one key
	shownKeys       = 100 // those that were used most
)

// usePage is what GET /workspaces/:workspace/use shows.
type usePage struct {
	trafficPart
	Keys    []keyUse
	More    int64 // keys that are not shown
	Address meter
}

// trafficPart is what a workspace has asked, or one of its keys: the data of the template
// "traffic", for any page that includes it.
type trafficPart struct {
	Hour, Day chart
	Refused   []refusedRequest
	Ceiling   *meter // of the one key; nil: it is about all of them
}

// keyUse is what one key has asked, and where it stands in this minute.
type keyUse struct {
	traffic.KeySums
	ID      uuid.UUID
	Name    string
	Ceiling meter
}

// refusedRequest is one with the name of its key.
type refusedRequest struct {
	*ent.RefusedRequest
	Key string
}

// meter is a standing, as the template "meter" shows it.
type meter struct {
	Standing
	Label string
}

// Percent is how much of the limit is used.
func (m meter) Percent() int64 {
	if m.Limit == 0 {
		return 0
	}
	return m.Used * 100 / m.Limit
}

// use answers GET /workspaces/:workspace/use.
func (a *Area) use(c *gin.Context) (answer, error) {
	ctx, now := c.Request.Context(), time.Now()
	t, err := a.trafficOf(ctx, nil, now)
	if err != nil {
		return nil, err
	}
	p := usePage{trafficPart: t, Address: meter{a.AddressStanding(c.Request), "Your address, this minute"}}
	if p.Keys, p.More, err = a.keysInUse(ctx, now); err != nil {
		return nil, err
	}
	return page{name: "use", title: "Use", data: p}, nil
}

// trafficOf collects what the template "traffic" shows: of the workspace that ctx is
// asking in, or of one of its keys.
func (a *Area) trafficOf(ctx context.Context, key *uuid.UUID, now time.Time) (t trafficPart, err error) {
	hour, err := traffic.Hour(ctx, a.Client, key, now)
	if err != nil {
		return t, err
	}
	day, err := traffic.Day(ctx, a.Client, key, now)
	if err != nil {
		return t, err
	}
	most := shownRefused
	if key != nil {
		most = shownRefusedKey
	}
	refused, err := traffic.Refused(ctx, a.Client, key, most)
	if err != nil {
		return t, err
	}
	var ids []uuid.UUID
	if key == nil { // else they are all of one
		for _, r := range refused {
			ids = append(ids, r.KeyID)
		}
	}
	names, err := a.keyNames(ctx, ids)
	for _, r := range refused {
		t.Refused = append(t.Refused, refusedRequest{r, names[r.KeyID]})
	}
	t.Hour = newChart("hour", "The last hour", "minute", "15:04", hour)
	t.Day = newChart("day", "The last day", "hour", "2 Jan, 15:04", day)
	if key != nil {
		t.Ceiling = &meter{a.KeyStanding(ctx, *key), "This minute"}
	}
	return t, err
}

// keyNames returns the names of keys. One that is no more has none.
func (a *Area) keyNames(ctx context.Context, ids []uuid.UUID) (map[uuid.UUID]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	slices.SortFunc(ids, func(x, y uuid.UUID) int { return slices.Compare(x[:], y[:]) })
	keys, err := a.Client.APIKey.Query().Where(apikey.IDIn(slices.Compact(ids)...)).All(ctx)
	names := map[uuid.UUID]string{}
	for _, k := range keys {
		names[k.ID] = k.Name
	}
	return names, err
}

// keysInUse are the keys that were used in the last day, those first that were used
// most in the last hour, and how many more there are than are shown.
func (a *Area) keysInUse(ctx context.Context, now time.Time) (shown []keyUse, more int64, err error) {
	sums, err := traffic.ByKey(ctx, a.Client, now)
	if err != nil {
		return nil, 0, err
	}
	for id, s := range sums {
		shown = append(shown, keyUse{KeySums: s, ID: id})
	}
	slices.SortFunc(shown, func(x, y keyUse) int {
		return cmp.Or(cmp.Compare(y.Hour, x.Hour), cmp.Compare(y.Day, x.Day), slices.Compare(x.ID[:], y.ID[:]))
	})
	if len(shown) > shownKeys {
		shown, more = shown[:shownKeys], int64(len(shown)-shownKeys)
	}
	var ids []uuid.UUID
	for _, k := range shown {
		ids = append(ids, k.ID)
	}
	names, err := a.keyNames(ctx, ids)
	for i := range shown {
		k := &shown[i]
		k.Name = names[k.ID]
		k.Ceiling = meter{a.KeyStanding(ctx, k.ID), k.Name + ", this minute"}
	}
	return shown, more, err
}

package traffic

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/privacy"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/keytraffic"
	"records/ent/refusedrequest"
)

// Of what is refused again and again a few are kept, of all else each, and nothing
// that a client wrote at will.
func TestRefusedAreKept(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		r := NewRecorder(w.client)
		refuse := func(status int, code, method string, n int) {
			q := w.a
			q.Status, q.Code, q.Method, q.ID = status, code, method, code
			note(r, q, n)
		}
		refuse(http.StatusTooManyRequests, "rate_limited", http.MethodGet, 1000)
		refuse(http.StatusForbidden, "read_only_key", http.MethodDelete, 1)
		refuse(http.StatusMethodNotAllowed, "method_not_allowed", strings.Repeat("X", 1000), 1)
		note(r, w.a, 10)
		write(t, r)
		got, err := Refused(member(t, w.a.Workspace), w.client, &w.a.Key, 100)
		if err != nil || len(got) != maxAlike+2 {
			t.Fatalf("%d refused, %v", len(got), err)
		}
		last := got[0]
		if last.Code != "method_not_allowed" || last.Method != "other" || last.Status != http.StatusMethodNotAllowed ||
			last.Route != w.a.Route || last.RequestID != "method_not_allowed" || last.At.Sub(w.a.At).Abs() > time.Millisecond || last.KeyID != w.a.Key {
			t.Errorf("%+v", last)
		}
		if hour, _ := w.sums(t, w.a); hour != 1012 {
			t.Errorf("%d counted", hour)
		}
	})
}

// A key's oldest refused requests go when there are many.
func TestRefusedAreTrimmed(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		r := NewRecorder(w.client)
		w.b.Code = "not_found"
		note(r, w.b, 1)
		for i := range 80 { // of 5 each
			w.a.Code, w.a.At, w.a.ID = "not_found", w.a.At.Add(time.Minute), fmt.Sprint(i)
			note(r, w.a, 9)
			if i%2 == 0 {
				write(t, r)
			}
		}
		write(t, r)
		got, err := Refused(member(t, w.a.Workspace), w.client, nil, 1000)
		if err != nil || len(got) < keptRefused || len(got) > keptRefused+trimEvery || got[0].RequestID != "79" || got[99].RequestID != "60" {
			t.Errorf("%d are kept, %v", len(got), err)
		}
		if got, err := Refused(member(t, w.b.Workspace), w.client, nil, 1000); err != nil || len(got) != 1 {
			t.Errorf("of another key: %v, %v", got, err)
		}
	})
}

// What is old is removed, in steps; what a page shows stays.
func TestOldIsRemoved(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		now := time.Now()
		ctx := operator(t)
		r := NewRecorder(w.client)
		w.a.Code = "not_found"
		for _, age := range []time.Duration{0, 59 * time.Minute, 4 * time.Hour, 23 * time.Hour, 27 * time.Hour} {
			w.a.At = now.Add(-age)
			note(r, w.a, 1)
		}
		write(t, r)
		old := firstID(now.Add(-26 * time.Hour))
		w.client.RefusedRequest.Create().SetID(old).SetWorkspaceID(w.a.Workspace).SetKeyID(w.a.Key).SetAt(now.Add(-26 * time.Hour)).
			SetStatus(404).SetCode("not_found").SetMethod("GET").SetRoute("").SetRequestID("old").ExecX(ctx)
		for range 5 { // many more than one statement removes
			w.client.KeyTraffic.MapCreateBulk(make([]int, removeBatch/2), func(c *ent.KeyTrafficCreate, _ int) {
				c.SetWorkspaceID(w.b.Workspace).SetKeyID(uuid.New()).SetSeconds(60).SetStatus(200).SetRequests(1).SetStart(now.Add(-4 * time.Hour).UTC())
			}).ExecX(ctx)
		}
		for range 2 { // another process does the same
			if err := r.remove(t.Context(), now); err != nil {
				t.Fatal(err)
			}
		}
		minutes, hours := w.client.KeyTraffic.Query().Where(keytraffic.Seconds(60)).CountX(ctx), w.client.KeyTraffic.Query().Where(keytraffic.Seconds(3600)).CountX(ctx)
		if minutes != 2 || hours < 3 || hours > 4 {
			t.Errorf("%d minutes and %d hours are left", minutes, hours)
		}
		if w.client.RefusedRequest.Query().Where(refusedrequest.RequestID("old")).ExistX(ctx) {
			t.Error("an old refused request is left")
		}
		if n := w.client.RefusedRequest.Query().CountX(ctx); n != 5 {
			t.Errorf("%d refused requests are left; want 5", n)
		}
	})
}

// A member reads their own workspace's traffic, whatever they ask for, and nobody
// writes any.
func TestTrafficIsOnesOwn(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		r := NewRecorder(w.client)
		w.a.Code, w.b.Code = "not_found", "not_found"
		note(r, w.a, 2)
		note(r, w.b, 3)
		write(t, r)
		ctx := member(t, w.a.Workspace)
		if hour, err := Hour(ctx, w.client, &w.b.Key, time.Now()); err != nil || hour[59].Total()+hour[58].Total() != 0 {
			t.Errorf("the traffic of another workspace's key: %v, %v", hour[58:], err)
		}
		if got, err := Refused(ctx, w.client, &w.b.Key, 9); err != nil || len(got) != 0 {
			t.Errorf("the refused requests of another workspace's key: %v, %v", got, err)
		}
		if all, err := ByKey(ctx, w.client, time.Now()); err != nil || len(all) != 1 || all[w.a.Key].Hour != 2 {
			t.Errorf("by key: %v, %v", all, err)
		}
		if n := w.client.KeyTraffic.Query().Where(keytraffic.Or(keytraffic.WorkspaceID(w.b.Workspace), keytraffic.RequestsGT(0))).CountX(ctx); n != 2 {
			t.Errorf("%d rows; want 2", n)
		}
		for name, err := range map[string]error{
			"nobody reads":           ask(w.client.KeyTraffic.Query().All(t.Context())),
			"nobody reads a refusal": ask(w.client.RefusedRequest.Query().All(t.Context())),
			"an update":              w.client.KeyTraffic.Update().SetRequests(0).Exec(ctx),
			"a delete":               ask(w.client.KeyTraffic.Delete().Exec(ctx)),
			"a refusal's delete":     ask(w.client.RefusedRequest.Delete().Exec(ctx)),
			"a create": w.client.KeyTraffic.Create().SetWorkspaceID(w.a.Workspace).SetKeyID(w.a.Key).SetStart(time.Now()).
				SetSeconds(60).SetStatus(200).SetRequests(1).Exec(ctx),
		} {
			if !errors.Is(err, privacy.Deny) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func ask[T any](_ T, err error) error { return err }

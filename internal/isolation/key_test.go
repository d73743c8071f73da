package isolation

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/hostile"
	"records/internal/rest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// requests is one of each operation on a resource, about one id.
func requests(who *servertest.Client, r rest.Resource, id string, body map[string]any) map[string]servertest.Response {
	list, item := "/"+r.Spec().Plural, "/"+r.Spec().Plural+"/"+id
	return map[string]servertest.Response{
		"list":   who.Do(http.MethodGet, list, nil),
		"get":    who.Do(http.MethodGet, item, nil),
		"create": who.Do(http.MethodPost, list, body),
		"update": who.Do(http.MethodPatch, item, body),
		"delete": who.Do(http.MethodDelete, item, nil),
	}
}

// A key that is refused (never given out, revoked, expired) opens nothing, not
// its own workspace either, and every such answer is the same.
func TestRefusedKeys(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		past := time.Now().Add(-time.Minute)
		mint := func(expires *time.Time) (string, uuid.UUID) {
			key, token, err := apikey.Create(rule.AsOperator(t.Context()), w.server.Ent, apikey.Request{Workspace: w.owner.id, Name: "refused", Scope: viewer.Write, Expires: expires})
			if err != nil {
				t.Fatal(err)
			}
			return token, key.ID
		}
		expired, _ := mint(&past)
		revoked, id := mint(nil)
		if err := apikey.Revoke(rule.AsOperator(t.Context()), w.server.Ent, id); err != nil {
			t.Fatal(err)
		}
		unknown := hostile.Token(strings.Repeat("7", 30))
		w.unchanged(t, func() {
			for _, r := range w.all {
				plural := r.Spec().Plural
				want := map[string]string{}
				for _, token := range []string{"", unknown, expired, revoked, revoked[:39] + "x", w.owner.id.String(), w.owner.ID.String()} {
					who := w.server.Anonymous(t)
					who.Token = token
					for op, res := range requests(who, r, w.owner.ids[plural][0], w.owner.body(r, nil)) {
						silent(t, op, res, w.owner)
						got := plain(res)
						if want[op] == "" {
							want[op] = got
						}
						if res.Status != http.StatusUnauthorized || got != want[op] {
							t.Errorf("%s %s with a refused key: %s\nwant %s", op, plural, got, want[op])
						}
					}
				}
			}
		})
	})
}

// A read key reads its own workspace and nothing else, and writes nowhere: its
// 403 is the same for own, foreign and absent records.
func TestReadKey(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		who := w.server.Key(t, w.thief.id, viewer.Read)
		before := w.dump(t, w.thief)
		w.unchanged(t, func() {
			for _, r := range w.all {
				plural := r.Spec().Plural
				own, foreign := w.thief.ids[plural][2], w.owner.ids[plural][2]
				body := w.thief.body(r, w.owner.ids)
				absent := requests(who, r, uuid.Must(uuid.NewV7()).String(), body)
				for op, res := range requests(who, r, foreign, body) {
					silent(t, op, res, w.owner, foreign)
					if got, want := plain(res), plain(absent[op]); got != want {
						t.Errorf("%s %s: foreign %s\nabsent %s", op, plural, got, want)
					}
				}
				for op, res := range requests(who, r, own, body) {
					want := http.StatusForbidden
					if op == "list" || op == "get" {
						want = http.StatusOK
					}
					if res.Status != want {
						t.Errorf("%s %s of an own record: %d, want %d", op, plural, res.Status, want)
					}
				}
			}
		})
		if w.dump(t, w.thief) != before {
			t.Error("a read key wrote")
		}
	})
}

// A workspace with nothing in it sees nothing in it.
func TestEmptyWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		who := w.server.NewClient(t)
		for _, r := range w.all {
			plural := r.Spec().Plural
			for _, query := range []string{"", "?limit=200", "?offset=1"} {
				res := who.Do(http.MethodGet, "/"+plural+query, nil)
				if text := string(res.Body); !strings.HasPrefix(text, `{"data":[],`) || !strings.HasSuffix(text, `"count":0}`) {
					t.Errorf("%s%s: %s", plural, query, res.Body)
				}
			}
			for _, id := range w.owner.ids[plural] {
				if res := who.Do(http.MethodGet, "/"+plural+"/"+id, nil); res.Status != http.StatusNotFound {
					t.Errorf("%s: %d %s", plural, res.Status, res.Body)
				}
			}
		}
	})
}

// Keys whose tokens look alike, at the beginning or at the end, open each its
// own workspace, whichever was used before.
func TestKeysThatLookAlike(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const same = "0123456789abcdefghijABCDEFGHI"
		for _, pair := range [][2]string{{same + "1", same + "2"}, {"1" + same, "2" + same}} {
			one := w.keyOf(t, w.thief, hostile.Token(pair[0]))
			two := w.keyOf(t, w.owner, hostile.Token(pair[1]))
			for range 2 {
				for _, r := range w.all {
					path := "/" + r.Spec().Plural
					a, b := one.Do(http.MethodGet, path, nil), two.Do(http.MethodGet, path, nil)
					silent(t, "one", a, w.owner)
					silent(t, "two", b, w.thief)
					if a.Status != http.StatusOK || b.Status != http.StatusOK {
						t.Errorf("%s: %d and %d", path, a.Status, b.Status)
					}
				}
			}
		}
	})
}

// Keys that are all used for the first time at one moment, so that their
// look-ups meet, open each its own workspace.
func TestKeysAtOnce(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/" + w.all[0].Spec().Plural
		for range 3 {
			var group sync.WaitGroup
			begin := make(chan struct{})
			for i := range 24 {
				who, other := w.thief, w.owner
				if i%2 == 0 {
					who, other = other, who
				}
				key := w.server.Key(t, who.id, viewer.Write)
				group.Go(func() {
					<-begin
					res := key.Do(http.MethodGet, path, nil)
					silent(t, "one of many", res, other)
					if res.Status != http.StatusOK {
						t.Errorf("one of many: %d %s", res.Status, res.Body)
					}
				})
			}
			close(begin)
			group.Wait()
		}
	})
}

// keyOf stores a key of a workspace by its token.
func (w *world) keyOf(t *testing.T, who *tenant, token string) *servertest.Client {
	t.Helper()
	sum := sha256.Sum256([]byte(token))
	w.server.Ent.APIKey.Create().SetWorkspaceID(who.id).SetName("alike").SetScope("write").
		SetHash(hex.EncodeToString(sum[:])).SetPrefix(token[:12]).ExecX(rule.AsOperator(t.Context()))
	c := w.server.Anonymous(t)
	c.Token = token
	return c
}

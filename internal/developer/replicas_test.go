package developer_test

import (
	"net/http"
	"testing"
	"time"

	"records/internal/apikey"
	"records/internal/servertest"
	"records/internal/viewer"
)

// What a page changes of a key holds on every replica within a second, however
// busy the key is.
func TestPageActionsHoldOnEveryReplica(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		replicas := []*servertest.Server{a.Server, servertest.Start(t, a.db)}
		soon := time.Now().Add(8 * time.Second).UTC().Truncate(time.Millisecond)
		key, token := a.mint(t, apikey.Request{Name: "busy", Scope: viewer.Read, Expires: &soon})
		path := a.keys + "/" + key.ID.String()
		settles := func(what, method string, before, after int) {
			t.Helper()
			for changed := time.Now(); ; time.Sleep(10 * time.Millisecond) {
				late := time.Since(changed) >= time.Second
				for i, replica := range replicas {
					who := replica.Anonymous(t)
					who.Token = token
					got := who.Do(method, "/tasks", map[string]any{"name": "a"}).Status
					if got != after && (late || got != before) {
						t.Fatalf("%s: replica %d answers %d, want %d", what, i, got, after)
					}
				}
				if late {
					return
				}
			}
		}
		settles("read", http.MethodPost, 403, 403)
		leads(t, "scope", a.developer.Post(path+"/scope", form("scope", "write")), path)
		settles("write", http.MethodPost, 403, 201)
		leads(t, "expiry", a.developer.Post(path+"/expiry", form("expiry", "7")), path)
		time.Sleep(time.Until(soon) - 500*time.Millisecond)
		settles("past its old expiry", http.MethodPost, 201, 201)
		tokenIn(t, a.developer.Post(path+"/rotate", form("overlap", "0s"))) // the expiry is now
		settles("rotated away", http.MethodPost, 201, 401)

		key, token = a.mint(t, apikey.Request{Name: "busy", Scope: viewer.Write})
		settles("another key", http.MethodPost, 201, 201)
		leads(t, "revoke", a.developer.Post(a.keys+"/"+key.ID.String()+"/revoke", nil), a.keys+"/"+key.ID.String())
		settles("revoked", http.MethodPost, 201, 401)
	})
}

package developer_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	entkey "records/ent/apikey"
	"records/ent/member"
	"records/internal/apikey"
	"records/internal/viewer"
)

// Each change is done, told once, and stands on the key's page with who made it.
func TestChangeKey(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		key, _ := a.mint(t, apikey.Request{Name: "first"})
		path := a.keys + "/" + key.ID.String()
		for _, c := range []struct {
			to, field, value, notice, told string
		}{
			{"/name", "name", "second", "The key has its new name.", "Renamed a key: from “first” to “second”"},
			{"/scope", "scope", "write", "The scope is changed.", "Changed a key’s scope: from read to write"},
			{"/expiry", "expiry", "7", "The expiry is changed.", "Changed a key’s expiry: from no expiry to expiry 20"},
			{"/expiry", "expiry", "never", "The expiry is changed.", "to no expiry"},
			{"/revoke", "", "", "The key is revoked.", "Revoked a key: “second”"},
		} {
			if c.to == "/revoke" {
				says(t, "revoke?", a.developer.Get(path+"/revoke"), http.StatusOK, "“second”", "This cannot be undone.")
			}
			leads(t, c.told, a.developer.Post(path+c.to, form(c.field, c.value)), path)
			says(t, c.told, a.developer.Get(path), http.StatusOK, c.notice, c.told, a.developer.Email)
			if again := a.developer.Get(path); strings.Contains(text(again), c.notice) {
				t.Errorf("%s is told twice", c.notice)
			}
		}
		got := a.Ent.APIKey.GetX(a.operator, key.ID)
		if got.Name != "second" || got.Scope != "write" || got.ExpiresAt != nil || got.RevokedAt == nil {
			t.Errorf("changed to %v", got)
		}
		ended := a.developer.Get(path)
		if strings.Contains(string(ended.Body), path+"/") {
			t.Errorf("a revoked key's page offers changes: %s", text(ended))
		}
		for to, sent := range map[string][]string{"/name": {"name", "third"}, "/scope": {"scope", "read"}, "/expiry": {"expiry", "7"}, "/rotate": {"overlap", "1h"}} {
			says(t, to+" of a revoked key", a.developer.Post(path+to, form(sent...)), http.StatusConflict, "The key is revoked, and cannot be changed any more.")
		}
		leads(t, "revoked twice", a.developer.Post(path+"/revoke", nil), path)
	})
}

// Somebody who has left the workspace is still named by what they did.
func TestWhoLeftIsStillNamed(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		key, _ := a.mint(t, apikey.Request{Name: "first"})
		leaver := a.Member(t, a.workspace, viewer.RoleDeveloper)
		leaver.Post(a.keys+"/"+key.ID.String()+"/scope", form("scope", "write"))
		a.Ent.Member.Delete().Where(member.UserID(leaver.User)).ExecX(a.operator)
		says(t, "activity", a.developer.Get("/workspaces/"+a.workspace.String()+"/activity"), http.StatusOK, leaver.Email+" Changed a key’s scope", "Operator Created a key")
		says(t, "who left", leaver.Get(a.keys), http.StatusNotFound)
	})
}

func TestRotateKey(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		old, oldToken := a.mint(t, apikey.Request{Name: "first", Scope: viewer.Write})
		path := a.keys + "/" + old.ID.String()
		says(t, "the form", a.developer.Get(path+"/rotate"), http.StatusOK, "It ends now", "It lives for 7 days more")
		for _, overlap := range []string{"", "soon", "-1s", "169h"} {
			says(t, "overlap "+overlap, a.developer.Post(path+"/rotate", form("overlap", overlap)), http.StatusUnprocessableEntity, "Choose what becomes of the old key.")
		}
		token := tokenIn(t, a.developer.Post(path+"/rotate", form("overlap", "1h")))
		for name, token := range map[string]string{"old": oldToken, "new": token} {
			who := a.Anonymous(t)
			if who.Token = token; who.Do(http.MethodPost, "/tasks", map[string]any{"name": "a"}).Status != http.StatusCreated {
				t.Errorf("the %s key does not open the API", name)
			}
		}
		next := a.Ent.APIKey.Query().Where(entkey.Replaces(old.ID)).OnlyX(a.operator)
		says(t, "the old key", a.developer.Get(path), http.StatusOK, "Its place is taken by "+next.Prefix, "Rotated a key: replaced by "+next.Prefix)
		says(t, "the new key", a.developer.Get(a.keys+"/"+next.ID.String()), http.StatusOK, "Takes the place of "+old.Prefix, "in the place of "+old.Prefix)
		again := a.developer.Post(path+"/rotate", form("overlap", "1h"))
		says(t, "sent again", again, http.StatusConflict, "cannot be shown again")
		if aToken.Match(again.Body) || a.Ent.APIKey.Query().CountX(a.operator) != 2 {
			t.Error("a form that was sent again made a key")
		}
		tokenIn(t, a.developer.Post(a.keys+"/"+next.ID.String()+"/rotate", form("overlap", "0s")))
		says(t, "sent again", a.developer.Post(a.keys+"/"+next.ID.String()+"/rotate", form("overlap", "0s")), http.StatusConflict, "cannot be shown again")
		past := time.Now().Add(-time.Hour).UTC()
		over, _ := a.mint(t, apikey.Request{Name: "over", Expires: &past})
		says(t, "an expired key", a.developer.Post(a.keys+"/"+over.ID.String()+"/rotate", form("overlap", "1h")), http.StatusConflict, "The key has expired, and cannot be changed any more.")
	})
}

// The activity is paged, newest first.
func TestActivity(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		activity := "/workspaces/" + a.workspace.String() + "/activity"
		says(t, "at first", a.developer.Get(activity), http.StatusOK, "Nothing was done yet")
		for i := range 51 {
			a.mint(t, apikey.Request{Name: "key " + string(rune('A'+i))})
		}
		a.mint(t, apikey.Request{Workspace: a.Workspace(t), Name: "another's"})
		first, second := text(a.developer.Get(activity)), text(a.developer.Get(activity+"?page=2"))
		if strings.Count(first, "Created a key") != 50 || strings.Count(second, "Created a key") != 1 || !strings.Contains(second, "“key A”") {
			t.Errorf("the first page: %s\nthe second: %s", first, second)
		}
		if newest, next := strings.Index(first, "“key s”"), strings.Index(first, "“key r”"); newest < 0 || newest > next {
			t.Errorf("not the newest first: %s", first)
		}
		if strings.Contains(first+second, "another's") {
			t.Error("it tells what was done in another workspace")
		}
	})
}

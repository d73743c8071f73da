package developer_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	entkey "records/ent/apikey"
	"records/internal/apikey"
	"records/internal/viewer"
)

var formID = regexp.MustCompile(`name="form" value="([0-9a-f-]{36})"`)

// A key that is made in the area opens the API, and its token is shown once.
func TestCreateKey(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		found := formID.FindSubmatch(a.developer.Get(a.keys + "/new").Body)
		if found == nil {
			t.Fatal("the form has no id")
		}
		sent := form("form", string(found[1]), "name", "Night & day", "scope", "write", "expiry", "30")
		r := a.developer.Post(a.keys+"/new", sent)
		token := tokenIn(t, r)
		says(t, "made", r, http.StatusOK, "Night & day", "curl -H 'Authorization: Bearer "+token+"' '"+a.URL+"/api/v1/tasks?limit=2'")
		if r.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("a token may be kept: %v", r.Header)
		}
		who := a.Anonymous(t)
		who.Token = token
		if r := who.Do(http.MethodPost, "/tasks", map[string]any{"name": "first"}); r.Status != http.StatusCreated {
			t.Errorf("the new key: %d %s", r.Status, r.Body)
		}
		key := a.Ent.APIKey.Query().OnlyX(a.operator)
		if key.CreatedBy == nil || *key.CreatedBy != a.developer.User || key.ExpiresAt == nil || time.Until(*key.ExpiresAt).Round(24*time.Hour) != 30*24*time.Hour {
			t.Errorf("made %v", key)
		}
		if list := a.developer.Get(a.keys); strings.Contains(string(list.Body), token) {
			t.Error("the list shows the token")
		}

		again := a.developer.Post(a.keys+"/new", sent)
		says(t, "sent again", again, http.StatusConflict, "Night & day", "cannot be shown again")
		if aToken.Match(again.Body) || a.Ent.APIKey.Query().CountX(a.operator) != 1 {
			t.Error("a form that was sent again made a key")
		}
	})
}

// The id of a form is one's own: another workspace's member who knows it makes a
// key with it as with any other, and learns nothing.
func TestAForeignFormIsNotTold(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		used, elsewhere := uuid.New(), a.Workspace(t)
		key, _ := a.mint(t, apikey.Request{Workspace: elsewhere, Name: "another's", Form: &used})
		for _, id := range []uuid.UUID{used, key.ID, uuid.New()} {
			tokenIn(t, a.developer.Post(a.keys+"/new", form("form", id.String(), "name", "own", "scope", "read", "expiry", "never")))
		}
		if n := a.Ent.APIKey.Query().Where(entkey.WorkspaceID(elsewhere)).CountX(a.operator); n != 1 {
			t.Errorf("the other workspace has %d keys", n)
		}
	})
}

// A faulty form comes back with what was in it and what is wrong.
func TestFaultsOfAKey(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		key, _ := a.mint(t, apikey.Request{Name: "old"})
		good := map[string]string{"form": uuid.NewString(), "name": "<i>n</i>", "scope": "read", "expiry": "date", "date": "2099-01-31"}
		for _, c := range []struct{ field, value, fault, path string }{
			{"name", " ", "The name must not be blank.", "/name"},
			{"name", strings.Repeat("ä", 256), "The name must be at most 255 characters long.", "/name"},
			{"name", "a\xff", "The name must be valid UTF-8.", "/name"},
			{"scope", "", "Choose what the key may do.", "/scope"},
			{"scope", "admin", "Choose what the key may do.", "/scope"},
			{"expiry", "", "Choose when the key ends.", "/expiry"},
			{"expiry", "12", "Choose when the key ends.", "/expiry"},
			{"date", "", "Choose a day, such as 2027-01-31.", "/expiry"},
			{"date", "2099-02-30", "Choose a day, such as 2027-01-31.", "/expiry"},
			{"date", "10000-01-01", "Choose a day, such as 2027-01-31.", "/expiry"},
			{"date", time.Now().UTC().AddDate(0, 0, -1).Format(time.DateOnly), "The day must not be over.", "/expiry"},
		} {
			sent := form()
			for field, value := range good {
				sent.Set(field, value)
			}
			sent.Set(c.field, c.value)
			says(t, "create "+c.fault, a.developer.Post(a.keys+"/new", sent), http.StatusUnprocessableEntity, c.fault, "The key was not made.")
			r := a.developer.Post(a.keys+"/"+key.ID.String()+c.path, sent)
			says(t, "change "+c.fault, r, http.StatusUnprocessableEntity, c.fault, "Nothing was changed.")
			if !strings.Contains(string(r.Body), `aria-invalid="true"`) {
				t.Errorf("%s: no field is said to be invalid", c.fault)
			}
		}
		kept := a.developer.Post(a.keys+"/new", form("form", uuid.NewString(), "name", "<i>n</i>", "scope", "write", "expiry", "date", "date", "2001-01-01"))
		for _, want := range []string{`value="&lt;i&gt;n&lt;/i&gt;"`, `value="write" required aria-describedby="scope-write" checked`, `value="date" selected`, `value="2001-01-01"`} {
			if !strings.Contains(string(kept.Body), want) {
				t.Errorf("the form does not keep %s:\n%s", want, kept.Body)
			}
		}
		says(t, "no form", a.developer.Post(a.keys+"/new", form("name", "a", "scope", "read", "expiry", "never")), http.StatusBadRequest, "The form was not sent whole.")
		if all, err := apikey.List(a.operator, a.Ent, a.workspace); err != nil || len(all) != 1 || all[0].Name != "old" {
			t.Errorf("left %v, %v", all, err)
		}
	})
}

// The end of today is not over yet, and a key that ends with a day ends with it, the
// last that there is as well.
func TestAKeyEndsWithItsDay(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		for _, year := range []int{2099, 9999} {
			tokenIn(t, a.developer.Post(a.keys+"/new", form("form", uuid.NewString(), "name", "a", "scope", "read", "expiry", "date", "date", fmt.Sprintf("%d-12-31", year))))
			key := a.Ent.APIKey.Query().Order(ent.Desc(entkey.FieldID)).FirstX(a.operator)
			if want := time.Date(year, 12, 31, 23, 59, 59, 999_000_000, time.UTC); key.ExpiresAt == nil || !key.ExpiresAt.Equal(want) {
				t.Errorf("ends %v, want %s", key.ExpiresAt, want)
			}
		}
		want(t, "the keys", a.developer.Get(a.keys), http.StatusOK)
	})
}

// Names are shown as they are, and never as a part of the page.
func TestHostileNames(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>{{.}}'`
		r := a.developer.Post(a.keys+"/new", form("form", uuid.NewString(), "name", hostile, "scope", "read", "expiry", "never"))
		tokenIn(t, r)
		key := a.Ent.APIKey.Query().OnlyX(a.operator)
		pages := []string{a.keys, a.keys + "/" + key.ID.String(), a.keys + "/" + key.ID.String() + "/revoke", a.keys + "/" + key.ID.String() + "/rotate", "/workspaces/" + a.workspace.String() + "/activity"}
		bodies := [][]byte{r.Body}
		for _, path := range pages {
			page := a.developer.Get(path)
			says(t, path, page, http.StatusOK, hostile)
			bodies = append(bodies, page.Body)
		}
		for i, body := range bodies {
			if strings.Contains(string(body), "<script>") || strings.Contains(string(body), "<img") {
				t.Errorf("page %d has the name as a part of it", i)
			}
		}
	})
}

// The newest are first, those that have ended last, and a page has 50.
func TestKeysAreListedInOrder(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		if r := a.developer.Get(a.keys); !strings.Contains(text(r), "There is no key yet.") {
			t.Errorf("without a key: %s", text(r))
		}
		past, soon := time.Now().Add(-time.Hour).UTC(), time.Now().Add(time.Hour).UTC()
		var want []string
		add := func(name string, expires *time.Time) *ent.APIKey {
			key, _ := a.mint(t, apikey.Request{Name: name, Expires: expires})
			return key
		}
		for i := range 51 {
			add("active "+string(rune('A'+i)), nil)
			want = append([]string{"active " + string(rune('A'+i))}, want...)
		}
		add("soon over", &soon)
		add("over", &past)
		if err := apikey.Revoke(a.operator, a.Ent, add("revoked", nil).ID); err != nil {
			t.Fatal(err)
		}
		add("newest", nil)
		want = append(append([]string{"newest", "soon over"}, want...), "revoked", "over")
		var got []string
		for _, page := range []string{"", "?page=2"} {
			for _, row := range regexp.MustCompile(`<th scope="row"><a [^>]*>([^<]*)</a>`).FindAllStringSubmatch(string(a.developer.Get(a.keys+page).Body), -1) {
				got = append(got, row[1])
			}
		}
		if strings.Join(got, ", ") != strings.Join(want, ", ") {
			t.Errorf("listed %q\nwant %q", got, want)
		}
		says(t, "the first page", a.developer.Get(a.keys), http.StatusOK, "Expiring soon", "Page 1 of 2 Older")
		says(t, "the second page", a.developer.Get(a.keys+"?page=2"), http.StatusOK, "Expired", "Revoked", "Newer Page 2 of 2")
		for _, page := range []string{"0", "3", "-1", "a", "", "9999999999999999999"} {
			says(t, "page "+page, a.developer.Get(a.keys+"?page="+page), http.StatusNotFound)
		}
		looker := a.Member(t, a.workspace, viewer.RoleViewer)
		if r := looker.Get(a.keys); r.Status != http.StatusOK || strings.Contains(string(r.Body), "/new") {
			t.Errorf("a viewer is offered a new key: %s", text(r))
		}
	})
}

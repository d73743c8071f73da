package developer_test

import (
	"net/http"
	"net/url"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// While the database is away a page says so, and nobody is signed out by it.
func TestDatabaseIsAway(t *testing.T) {
	t.Parallel()
	proxy := dbtest.NewProxy(t, dbtest.URL(t, dialect.Postgres))
	s := servertest.Start(t, dbtest.OpenURL(t, proxy.URL()))
	own := s.Workspace(t)
	person := s.Member(t, own, viewer.RoleOwner)
	proxy.Refuse()
	for _, path := range []string{"/", "/account", "/workspaces/" + own.String() + "/members", "/join"} {
		r := person.Get(path)
		want(t, path, r, http.StatusServiceUnavailable, "<!doctype html>", "The database cannot be reached.")
		if r.Header.Get("Retry-After") == "" || r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: headers %v", path, r.Header)
		}
	}
	want(t, "signing in", signIn(s.Browser(t), person.Email), http.StatusServiceUnavailable)
	proxy.Restore()
	want(t, "once it is back", person.Get("/account"), http.StatusOK)
}

// Each page answers HEAD as it does GET, without a body.
func TestHead(t *testing.T) {
	t.Parallel()
	s := servertest.Start(t, dbtest.Open(t, dialect.SQLite))
	person := s.Member(t, s.Workspace(t), viewer.RoleOwner)
	for _, path := range []string{"/account", "/sign-in", "/join", "/invitations/a"} {
		get, head := person.Get(path), person.Do(http.MethodHead, path, nil, nil)
		if head.Status != get.Status || len(head.Body) != 0 || head.Header.Get("Content-Type") != get.Header.Get("Content-Type") {
			t.Errorf("%s: HEAD %d, GET %d, %d bytes", path, head.Status, get.Status, len(head.Body))
		}
	}
}

// Where the session cannot be kept after the deed, the page does not say that nothing
// was done.
func TestSessionIsLostAfterTheDeed(t *testing.T) {
	t.Parallel()
	proxy := dbtest.NewProxy(t, dbtest.URL(t, dialect.Postgres))
	s := servertest.Start(t, dbtest.OpenURL(t, proxy.URL()))
	own := s.Workspace(t)
	owner, person := s.Member(t, own, viewer.RoleOwner), s.Member(t, own, viewer.RoleViewer)
	owner.Get("/account")
	at := "/workspaces/" + own.String() + "/members/" + membership(t, s, own, person.User).ID.String() + "/role"
	proxy.Cut(dbtest.Cut{Match: `UPDATE "sessions"`, Times: 100, Undelivered: true})
	want(t, "the page", owner.Post(at, url.Values{"role": {"developer"}}), http.StatusServiceUnavailable, "may have taken effect")
	proxy.Restore()
	if m := membership(t, s, own, person.User); m.Role != "developer" {
		t.Errorf("the role is %s", m.Role)
	}
}

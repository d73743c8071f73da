package developer_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// Whoever signs in comes to the page that they had asked for, once, and never to
// anything else that a cookie says.
func TestWayBack(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		w := s.Workspace(t)
		person := s.Member(t, w, viewer.RoleDeveloper)
		signIn := func(b *servertest.Browser) servertest.Response {
			return b.Post("/sign-in", url.Values{"email": {person.Email}, "password": {servertest.Password}})
		}
		in := "/workspaces/" + w.String()
		for _, page := range []string{"/account", in + "/keys", in + "/keys/new", in + "/keys/" + uuid.NewString(), in + "/use", in + "/activity", in + "/members"} {
			b := s.Browser(t)
			wantTo(t, page, b.Get(page), "/sign-in")
			wantTo(t, "signing in for "+page, signIn(b), page)
			b.Post("/sign-out", nil)
			wantTo(t, "signing in again", signIn(b), "/")
		}

		b := s.Browser(t)
		wantTo(t, "a form", b.Post(in+"/invitations", nil), "/sign-in")
		wantTo(t, "signing in after a form", signIn(b), "/")
		for _, planted := range []string{"//attacker.example", "https://attacker.example", "/sign-out", in + "/keys/../../..", in + "/keys?a", "/assets/a", ""} {
			b := s.Browser(t)
			b.SetCookie("records_way_back", planted)
			wantTo(t, "signing in with "+planted, signIn(b), "/")
		}
		r := s.Browser(t).Get(in + "/keys")
		if r.Status != http.StatusSeeOther || len(r.Header.Values("Set-Cookie")) != 1 {
			t.Errorf("%d, cookies %q", r.Status, r.Header.Values("Set-Cookie"))
		}
	})
}

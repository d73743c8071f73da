package developer_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// Who signs in sees the keys of their workspace, and not another's; who does not is
// sent to where they can.
func TestSignIn(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own, other := s.Workspace(t), s.Workspace(t)
		s.Key(t, own, viewer.Read)
		keys := "/workspaces/" + own.String() + "/keys"

		nobody := s.Browser(t)
		if r := nobody.Get(keys); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/sign-in" {
			t.Errorf("nobody: %d to %q", r.Status, r.Header.Get("Location"))
		}
		if r := nobody.Post("/sign-in", url.Values{"email": {"a@example.com"}, "password": {"a wrong password"}}); r.Status != http.StatusUnprocessableEntity {
			t.Errorf("a wrong password: %d", r.Status)
		}

		person := s.Member(t, own, viewer.RoleViewer)
		if r := person.Get(keys); r.Status != http.StatusOK || !strings.Contains(string(r.Body), "wrk_") {
			t.Errorf("own keys: %d\n%s", r.Status, r.Body)
		}
		if r := person.Get("/workspaces/" + other.String() + "/keys"); r.Status != http.StatusNotFound {
			t.Errorf("another's keys: %d", r.Status)
		}
		if r := person.Get("/"); r.Header.Get("Location") != keys {
			t.Errorf("the start: %d to %q", r.Status, r.Header.Get("Location"))
		}
		person.Post("/sign-out", nil)
		if r := person.Get(keys); r.Status != http.StatusSeeOther {
			t.Errorf("after signing out: %d", r.Status)
		}
	})
}

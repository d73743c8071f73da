package developer_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
	"records/internal/viewer"
)

// counted has the server write what it counted, as it does when it stops.
func counted(t *testing.T, s *servertest.Server) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.Server.Run(ctx)
}

// The page tells of each request of the workspace's keys, and of no other's; of those
// that were refused, why; and where each key stands.
func TestUse(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db, func(o *server.Options) { o.PerKey, o.PerIP = 20, 1000 })
		w, other := s.Workspace(t), s.Workspace(t)
		member := s.Member(t, w, viewer.RoleViewer)
		path := "/workspaces/" + w.String() + "/use"
		if page := member.Get(path); page.Status != http.StatusOK || !strings.Contains(string(page.Body), "No requests in the last day") {
			t.Errorf("before any request: %d\n%s", page.Status, page.Body)
		}

		read, revoked, foreign := s.Key(t, w, viewer.Read), s.Key(t, w, viewer.Write), s.Key(t, other, viewer.Read)
		if err := apikey.Revoke(rule.AsOperator(t.Context()), s.Ent, revoked.ID); err != nil {
			t.Fatal(err)
		}
		for range 15 {
			read.Do(http.MethodGet, "/tasks?limit=1", nil)
		}
		for _, r := range []struct{ method, path, id string }{
			{http.MethodGet, "/tasks/" + uuid.NewString() + "?secret=yes", "an-absent-record"},
			{http.MethodPost, "/tasks", "a-write"},
			{http.MethodGet, "/no-such-path/with-a-secret", "an-absent-path"},
			{http.MethodPut, "/invoices", "a-method"},
			{http.MethodGet, "/tasks?limit=1000", "a-parameter"},
			{http.MethodGet, "/tasks", "over-the-ceiling"},
		} {
			read.Do(r.method, r.path, nil, "X-Request-Id", r.id)
		}
		revoked.Do(http.MethodGet, "/tasks", nil, "X-Request-Id", "a-revoked-key")
		foreign.Do(http.MethodGet, "/tasks?limit=x", nil, "X-Request-Id", "of-another-workspace")
		unknown := s.Anonymous(t)
		unknown.Do(http.MethodGet, "/tasks", nil, "X-Request-Id", "of-nobody")
		counted(t, s)

		body := string(member.Get(path).Body)
		for _, want := range []string{
			"<strong>22</strong> requests", "15 answered, 7 refused", "20 of 20", `value="100"`,
			"404 <code>not_found</code>", "an-absent-record", "GET /api/v1/tasks/:id",
			"403 <code>read_only_key</code>", "a-write", "(no such path)", "405 <code>method_not_allowed</code>", "a-method",
			"400 <code>invalid_parameter</code>", "a-parameter", "429 <code>rate_limited</code>", "over-the-ceiling",
			"401 <code>unauthorized</code>", "a-revoked-key", "<rect class=\"s2\"", "<rect class=\"s4\"", `<th scope="col">429</th>`, "of 1,000 <meter",
		} {
			if !strings.Contains(body, want) {
				t.Errorf("it does not say %q", want)
			}
		}
		for _, secret := range []string{"secret", "of-another-workspace", foreign.ID.String(), "of-nobody", read.Token, revoked.Token, "style="} {
			if strings.Contains(body, secret) {
				t.Errorf("it says %q", secret)
			}
		}
		if t.Failed() {
			t.Log(body)
		}
	})
}

// Of very many keys the page shows those that were used most, and says how many more
// there are.
func TestUseOfManyKeys(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		w := s.Workspace(t)
		member := s.Member(t, w, viewer.RoleViewer)
		minute := time.Now().UTC().Truncate(time.Minute)
		for i := range 103 {
			s.Ent.KeyTraffic.Create().SetWorkspaceID(w).SetKeyID(uuid.New()).SetStart(minute).SetSeconds(60).SetStatus(200).SetRequests(int64(1 + i)).SaveX(rule.AsOperator(t.Context()))
		}
		if page := member.Get("/workspaces/" + w.String() + "/use"); page.Status != http.StatusOK || !strings.Contains(string(page.Body), "And 3 more, which were used less.") {
			t.Errorf("%d\n%s", page.Status, page.Body)
		}
	})
}

// Who is no member learns nothing, nor does who is not signed in.
func TestUseIsForMembers(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		w, other := s.Workspace(t), s.Workspace(t)
		stranger := s.Member(t, other, viewer.RoleOwner)
		foreign, absent := stranger.Get("/workspaces/"+w.String()+"/use"), stranger.Get("/workspaces/"+uuid.NewString()+"/use")
		if foreign.Status != http.StatusNotFound || string(foreign.Body) != string(absent.Body) {
			t.Errorf("%d\n%s\n%s", foreign.Status, foreign.Body, absent.Body)
		}
		if r := s.Browser(t).Get("/workspaces/" + w.String() + "/use"); r.Status != http.StatusSeeOther || r.Header.Get("Location") != "/sign-in" {
			t.Errorf("not signed in: %d %s", r.Status, r.Header.Get("Location"))
		}
	})
}

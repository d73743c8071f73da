package developer_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/account"
	"records/internal/servertest"
	"records/internal/viewer"
)

// want fails the test unless the answer has a status, and every one of some texts.
func want(t *testing.T, what string, r servertest.Response, status int, texts ...string) {
	t.Helper()
	if r.Status != status {
		t.Errorf("%s: %d, want %d\n%s", what, r.Status, status, r.Body)
	}
	for _, text := range texts {
		if !strings.Contains(string(r.Body), text) {
			t.Errorf("%s: the page lacks %q\n%s", what, text, r.Body)
		}
	}
}

// wantTo fails the test unless the answer leads to a path.
func wantTo(t *testing.T, what string, r servertest.Response, path string) {
	t.Helper()
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != path {
		t.Errorf("%s: %d to %q, want 303 to %q\n%s", what, r.Status, r.Header.Get("Location"), path, r.Body)
	}
}

// signIn signs in with the password that servertest gives everybody.
func signIn(b *servertest.Browser, email string) servertest.Response {
	return b.Post("/sign-in", url.Values{"email": {email}, "password": {servertest.Password}})
}

// invitationTo makes a link of a workspace, as the operator does, and returns its path.
func invitationTo(t *testing.T, s *servertest.Server, workspace uuid.UUID, role viewer.Role, email string) (*ent.Invitation, string) {
	t.Helper()
	i, token, err := account.Invite(rule.AsOperator(t.Context()), s.Ent, workspace, role, email)
	if err != nil {
		t.Fatal(err)
	}
	return i, account.InvitationPath + token
}

// membership returns who somebody is in a workspace.
func membership(t *testing.T, s *servertest.Server, workspace, user uuid.UUID) *ent.Member {
	t.Helper()
	all, err := s.Ent.Member.Query().All(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		if m.WorkspaceID == workspace && m.UserID == user {
			return m
		}
	}
	return nil
}

// sessionsOf returns the sessions of a user.
func sessionsOf(t *testing.T, s *servertest.Server, user uuid.UUID) (own []*ent.Session) {
	t.Helper()
	all, err := s.Ent.Session.Query().All(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all {
		if row.UserID != nil && *row.UserID == user {
			own = append(own, row)
		}
	}
	return own
}

// events returns what was done in a workspace, oldest first, as "action: detail".
func events(t *testing.T, s *servertest.Server, workspace uuid.UUID) (did []string) {
	t.Helper()
	all, err := s.Ent.AuditEvent.Query().Order(ent.Asc("id")).All(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		if e.WorkspaceID == workspace {
			did = append(did, e.Action+": "+e.Detail)
		}
	}
	return did
}

var linkPattern = regexp.MustCompile(`http://[^<]*(/invitations/[A-Za-z0-9_-]+)`)

// linkIn returns the path of the link that a page shows.
func linkIn(t *testing.T, r servertest.Response) string {
	t.Helper()
	found := linkPattern.FindSubmatch(r.Body)
	if found == nil {
		t.Fatalf("no link in %d\n%s", r.Status, r.Body)
	}
	return string(found[1])
}

package developer_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// area is a server with a workspace and one who makes keys there.
type area struct {
	*servertest.Server
	db        *database.DB
	workspace uuid.UUID
	keys      string // the path of the list
	developer *servertest.Browser
	operator  context.Context
}

// onEach runs a test on both databases.
func onEach(t *testing.T, f func(t *testing.T, a area)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		a := area{Server: servertest.Start(t, db), db: db, operator: rule.AsOperator(t.Context())}
		a.workspace = a.Workspace(t)
		a.keys = "/workspaces/" + a.workspace.String() + "/keys"
		a.developer = a.Member(t, a.workspace, viewer.RoleDeveloper)
		f(t, a)
	})
}

// mint makes a key as the operator does.
func (a area) mint(t *testing.T, r apikey.Request) (*ent.APIKey, string) {
	t.Helper()
	if r.Workspace == uuid.Nil {
		r.Workspace = a.workspace
	}
	if r.Scope == "" {
		r.Scope = viewer.Read
	}
	key, token, err := apikey.Create(a.operator, a.Ent, r)
	if err != nil {
		t.Fatal(err)
	}
	return key, token
}

// form is a form with the values, which come in pairs.
func form(pairs ...string) url.Values {
	values := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		values.Add(pairs[i], pairs[i+1])
	}
	return values
}

// text is what a page says, its marks left out and its white space made one space.
func text(r servertest.Response) string {
	bare := regexp.MustCompile(`(?s)<[^>]*>`).ReplaceAllString(string(r.Body), " ")
	return strings.Join(strings.Fields(html.UnescapeString(bare)), " ")
}

// says fails the test unless a page has a status and says something.
func says(t *testing.T, what string, r servertest.Response, status int, wants ...string) {
	t.Helper()
	if r.Status != status {
		t.Errorf("%s: %d, want %d: %s", what, r.Status, status, text(r))
	}
	for _, want := range wants {
		if !strings.Contains(text(r), want) {
			t.Errorf("%s: it does not say %q: %s", what, want, text(r))
		}
	}
}

// leads fails the test unless an answer leads to a page.
func leads(t *testing.T, what string, r servertest.Response, to string) {
	t.Helper()
	if r.Status != http.StatusSeeOther || r.Header.Get("Location") != to {
		t.Errorf("%s: %d to %q, want %q: %s", what, r.Status, r.Header.Get("Location"), to, text(r))
	}
}

var aToken = regexp.MustCompile(`wrk_[0-9A-Za-z]{36}`)

// tokenIn is the token that a page shows.
func tokenIn(t *testing.T, r servertest.Response) string {
	t.Helper()
	token := aToken.FindString(text(r))
	if r.Status != http.StatusOK || !apikey.WellFormed(token) {
		t.Fatalf("no token: %d: %s", r.Status, text(r))
	}
	return token
}

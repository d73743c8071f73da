package browser

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/internal/account"
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/server"
	"records/internal/servertest"
	"records/internal/traffic"
	"records/internal/viewer"
)

// password of everybody in these tests.
const password = "correct horse battery staple"

// place is a server with a workspace, and a link for its first owner.
type place struct {
	server    *servertest.Server
	URL       string
	workspace uuid.UUID
	link      string // the path of the invitation
	email     string // of the owner

	parameters map[string]string // of the paths in the route table
}

func begin(t *testing.T, db *database.DB) *place {
	t.Helper()
	s := servertest.Start(t, db, func(o *server.Options) { o.PerKey, o.PerIP = 600, 1200 })
	w, err := s.Ent.Workspace.Create().SetName("Northwind <b>Trading</b> & Sons").Save(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	p := &place{server: s, URL: s.URL, workspace: w.ID, email: "ada.lovelace@example.com"}
	p.link = p.invite(t)
	return p
}

// invite makes what `records workspace invite` prints, less the server's address.
func (p *place) invite(t *testing.T) string {
	t.Helper()
	_, token, err := account.Invite(rule.AsOperator(t.Context()), p.server.Ent, p.workspace, viewer.RoleOwner, "")
	if err != nil {
		t.Fatal(err)
	}
	return account.InvitationPath + token
}

// owner makes the owner without the pages, and returns who they are.
func (p *place) owner(t *testing.T) uuid.UUID {
	t.Helper()
	u, err := account.CreateUser(t.Context(), p.server.Ent, account.NewUser{Email: p.email, Name: "Ada Lovelace", Password: password})
	if err != nil {
		t.Fatal(err)
	}
	if err := account.Join(t.Context(), p.server.Ent, p.workspace, u.ID, viewer.RoleOwner); err != nil {
		t.Fatal(err)
	}
	return u.ID
}

// furnish puts something of everything into the workspace, under names that are as
// long as they may be, or would be a script if they were not escaped.
func (p *place) furnish(t *testing.T) {
	t.Helper()
	other := p.server.Workspace(t) // else the start leads straight to the one workspace
	if err := account.Join(t.Context(), p.server.Ent, other, p.owner(t), viewer.RoleViewer); err != nil {
		t.Fatal(err)
	}
	p.server.Member(t, p.workspace, viewer.RoleDeveloper)
	long := p.key(t, strings.Repeat("W", 255), viewer.Write)
	p.key(t, "<script>alert(1)</script>", viewer.Read)
	p.used(long)
	_, token, _ := strings.Cut(p.link, account.InvitationPath)
	p.parameters = map[string]string{":workspace": p.workspace.String(), ":key": long.ID.String(), ":token": token}
}

// used has a key ask for this and that in the last hour.
func (p *place) used(key *ent.APIKey) {
	r, now := traffic.NewRecorder(p.server.Ent), time.Now()
	for minute := 59; minute >= 0; minute-- { // as they come, the newest last
		for n := range 3 + minute%7 {
			q := traffic.Request{
				Workspace: p.workspace, Key: key.ID, At: now.Add(-time.Duration(minute) * time.Minute),
				Status: http.StatusOK, Method: http.MethodGet, Route: "/api/v1/tasks", ID: uuid.NewString(),
			}
			if n == 6 {
				q.Status, q.Code = http.StatusForbidden, "read_only_key"
			}
			if n == 7 {
				q.Status, q.Code = http.StatusServiceUnavailable, "unavailable"
			}
			r.Note(&q)
		}
	}
	over, end := context.WithCancel(context.Background())
	end() // it writes what there is, and ends
	r.Run(over, func(err error) { panic(err) })
}

func (p *place) key(t *testing.T, name string, scope viewer.Scope) *ent.APIKey {
	t.Helper()
	key, _, err := apikey.Create(rule.AsOperator(t.Context()), p.server.Ent, apikey.Request{Workspace: p.workspace, Name: name, Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// enter brings the first owner into the workspace, by the link of the invitation and
// a password of their own.
func (p *place) enter(b *tab) {
	b.t.Helper()
	b.visit(p.link)
	b.fill("Email", p.email)
	b.fill("Name", "Ada Lovelace")
	b.fill("Password", password)
	b.follow("button", "Create account and join")
	b.see("API keys")
}

// signIn signs a person in, by the page.
func (b *tab) signIn(email string) {
	b.t.Helper()
	b.visit("/sign-in")
	b.fill("Email", email)
	b.fill("Password", password)
	b.follow("button", "Sign in")
	b.see("Sign out")
}

package browser

import (
	"testing"

	"github.com/google/uuid"

	"records/internal/account"
	"records/internal/database"
	"records/internal/servertest"
	"records/internal/viewer"
)

// password of everybody in these tests.
const password = "correct horse battery staple"

// place is a server with a workspace and its owner.
type place struct {
	server    *servertest.Server
	URL       string
	workspace uuid.UUID
	owner     uuid.UUID
	email     string // of the owner

	parameters map[string]string // of the paths in the route table
}

func begin(t *testing.T, db *database.DB) *place {
	t.Helper()
	s := servertest.Start(t, db)
	p := &place{server: s, URL: s.URL, workspace: s.Workspace(t), email: "ada.lovelace@example.com"}
	u, err := account.CreateUser(t.Context(), s.Ent, p.email, "Ada Lovelace", password)
	if err != nil {
		t.Fatal(err)
	}
	p.owner = u.ID
	if err := account.Join(t.Context(), s.Ent, p.workspace, u.ID, viewer.RoleOwner); err != nil {
		t.Fatal(err)
	}
	p.parameters = map[string]string{":workspace": p.workspace.String()}
	return p
}

// furnish puts something of everything into the workspace, hostile names too.
func (p *place) furnish(t *testing.T) {
	t.Helper()
	key := p.server.Key(t, p.workspace, viewer.Write)
	p.server.Key(t, p.workspace, viewer.Read)
	p.parameters[":key"] = key.ID.String()
	if err := account.Join(t.Context(), p.server.Ent, p.server.Workspace(t), p.owner, viewer.RoleViewer); err != nil {
		t.Fatal(err) // else the start leads straight to the one workspace
	}
}

// enter brings the owner from the first start to their workspace.
//
// It is the one place to switch once the first owner is made by a link of the command
// line: open the link, set the password by the page, and leave CreateUser out of begin.
func (p *place) enter(b *tab) {
	b.t.Helper()
	b.signIn(p.email)
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

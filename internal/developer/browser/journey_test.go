package browser

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
)

// What somebody new goes through, from the first sign-in to a call of the API, and
// what a change on the page means to the program that calls.
func TestJourney(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := begin(t, db)
		b := open(t, s.URL)
		s.enter(b)
		b.hold() // nothing in the workspace yet
		b.follow("link", "Create the first key")
		b.fill("Name", "Warehouse")
		b.press("field", "Read and write")
		b.follow("button", "Create the key")
		token := b.token()
		b.hold()
		if copied := b.copies("Copy the token"); copied != token {
			t.Errorf("copied %q, not the token", copied)
		}
		b.keyLives(s, token)
		b.signOut()
	})
}

// The same without JavaScript.
func TestJourneyWithoutScripts(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := begin(t, db)
		b := open(t, s.URL)
		b.withoutScripts()
		s.enter(b)
		b.follow("link", "Create the first key")
		b.fill("Name", "Warehouse")
		b.press("field", "Read and write")
		b.follow("button", "Create the key")
		if b.has("button", "Copy the token") {
			t.Error("there is a button that cannot do anything")
		}
		b.keyLives(s, b.token())
		b.signOut()
	})
}

// A key made by keys alone.
func TestCreateByKeyboard(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := begin(t, db)
		b := open(t, s.URL)
		s.enter(b)
		b.tabTo("Create the first key")
		b.leave(func() { b.keys(kb.Enter) })
		b.tabTo("Name")
		b.write("Warehouse")
		b.tabTo("Read only")
		b.keys(kb.ArrowDown)
		b.tabTo("Create the key")
		b.leave(func() { b.keys(kb.Enter) })
		c := s.calls(t, b.token())
		if r := c.Do(http.MethodPost, "/tasks", map[string]any{"name": "Call the harbour"}); r.Status != http.StatusCreated {
			t.Errorf("creating: %d %s", r.Status, r.Body)
		}
		b.quiet()
	})
}

// keyLives goes through the life of a key that can write, from the page that shows
// its token on, and calls the API with it.
func (b *tab) keyLives(s *place, token string) {
	b.t.Helper()
	c := s.calls(b.t, token)
	if r := c.Do(http.MethodGet, "/tasks", nil); r.Status != http.StatusOK {
		b.t.Errorf("listing: %d %s", r.Status, r.Body)
	}
	create := func() servertest.Response {
		return c.Do(http.MethodPost, "/tasks", map[string]any{"name": "Call the harbour"})
	}
	if r := create(); r.Status != http.StatusCreated {
		b.t.Errorf("creating: %d %s", r.Status, r.Body)
	}

	b.follow("link", "I have copied it")
	if strings.Contains(b.text(), token) {
		b.t.Error("the token is shown again")
	}
	b.press("field", "Read only")
	b.follow("button", "Change the scope")
	b.within(http.StatusForbidden, create)

	b.follow("link", "Revoke…")
	b.follow("button", "Revoke the key")
	b.within(http.StatusUnauthorized, create)

	b.follow("link", "Activity")
	b.see("Changed a key’s scope")
	b.see("Revoked a key")
	b.quiet()
}

// within fails the test unless a call is answered with a status within a second. A
// call that was begun in time counts, however long a busy machine takes for it.
func (b *tab) within(status int, call func() servertest.Response) {
	b.t.Helper()
	changed := time.Now()
	for {
		begun := time.Since(changed)
		r := call()
		if r.Status == status {
			return
		}
		if begun > time.Second {
			b.t.Fatalf("%s after the change: %d %s, not %d", begun, r.Status, r.Body, status)
		}
	}
}

// calls returns a program that calls the API with a token.
func (p *place) calls(t *testing.T, token string) *servertest.Client {
	c := p.server.Anonymous(t)
	c.Token = token
	return c
}

// token reads the token from the page that shows it once.
func (b *tab) token() string {
	b.t.Helper()
	return await(b, "a token", func(token string) bool { return strings.HasPrefix(token, "wrk_") },
		`() => document.querySelector("figure.code code").innerText`)
}

// signOut signs out, and makes sure of it.
func (b *tab) signOut() {
	b.t.Helper()
	path := b.path()
	b.follow("button", "Sign out")
	b.at("button", "Sign in")
	b.visit(path)
	b.at("button", "Sign in")
	b.quiet()
}

package developer_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"records/ent"
	"records/ent/rule"
	"records/ent/user"
	"records/internal/account"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

var (
	ann     = servertest.Known{ID: "subject-ann", Username: "ann", Password: "ann's", FirstName: "Ann", LastName: "<b>Example</b>", Email: "Ann@Example.com", EmailVerified: true}
	claimer = servertest.Known{ID: "subject-claimer", Username: "claimer", Password: "claimer's", FirstName: "Ann", LastName: "Not", Email: "ann@example.com"}
)

// away asks the server for the way to the provider. change may alter what is asked.
func away(t *testing.T, b *servertest.Browser, change func(url.Values)) string {
	t.Helper()
	r := b.Get("/sign-in/oidc")
	u, err := url.Parse(r.Header.Get("Location"))
	if r.Status != http.StatusSeeOther || err != nil || u.Host == "" {
		t.Fatalf("the way to the provider: %d to %q\n%s", r.Status, r.Header.Get("Location"), r.Body)
	}
	q := u.Query()
	if q.Get("code_challenge_method") != "S256" || q.Get("state") == "" || q.Get("nonce") == "" || q.Get("response_type") != "code" {
		t.Errorf("it asks for %v", q)
	}
	if change != nil {
		change(q)
		u.RawQuery = q.Encode()
	}
	return u.String()
}

// userOf returns the user with an address, nil if there is none.
func userOf(t *testing.T, s *servertest.Server, email string) *ent.User {
	t.Helper()
	u, err := s.Ent.User.Query().Where(user.Email(email)).Only(rule.AsOperator(t.Context()))
	if err != nil && !ent.IsNotFound(err) {
		t.Fatal(err)
	}
	return u
}

// A new person comes in by an invitation and the provider, and signs in by it again.
func TestIdentityOfANewPerson(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		var p servertest.IdentityProvider
		s := servertest.Start(t, db, p.With(t, []servertest.Known{ann, claimer}, nil))
		own := s.Workspace(t)
		stranger := s.Browser(t)
		want(t, "the form", stranger.Get("/sign-in"), http.StatusOK, "Continue with Example ID")
		want(t, "without an invitation", stranger.Get(p.Consent(away(t, stranger, nil), ann)), http.StatusForbidden, "known to Example ID, but not here")
		if userOf(t, s, "ann@example.com") != nil {
			t.Fatal("a user was made of a stranger")
		}

		_, link := invitationTo(t, s, own, viewer.RoleDeveloper, "")
		person := s.Browser(t)
		person.Get(link)
		want(t, "an address that is not vouched for", person.Get(p.Consent(away(t, person, nil), claimer)), http.StatusForbidden, "does not confirm")
		before := person.Cookie(cookie)
		wantTo(t, "with an invitation", person.Get(p.Consent(away(t, person, nil), ann)), "/")
		if person.Cookie(cookie) == before {
			t.Error("the session's token is the one from before")
		}
		wantTo(t, "the start", person.Get("/"), "/workspaces/"+own.String()+"/keys")
		u := userOf(t, s, "ann@example.com")
		if u == nil || u.PasswordHash != nil || *u.Issuer != p.URL || *u.Subject != ann.ID || u.Name != "Ann <b>Example</b>" {
			t.Fatalf("the user is %v", u)
		}
		want(t, "the link again", s.Browser(t).Get(link), http.StatusGone)
		want(t, "a password", signIn(s.Browser(t), "ann@example.com"), http.StatusUnprocessableEntity)

		again := s.Browser(t)
		wantTo(t, "again", again.Get(p.Consent(away(t, again, nil), ann)), "/")
		want(t, "the account", again.Get("/account"), http.StatusOK, "You have no password")
		const first = "a first password"
		wantTo(t, "a first password", again.Post("/account/password", url.Values{"password": {first}}), "/account")
		wantTo(t, "the other session", person.Get("/account"), "/sign-in?ended=1")
		wantTo(t, "with the password", s.Browser(t).Post("/sign-in", url.Values{"email": {"ann@example.com"}, "password": {first}}), "/")
	})
}

// A user is bound to the identity with their address, if the provider vouches for it.
// What somebody else may have who gave that address ends.
func TestIdentityOfAUser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		var p servertest.IdentityProvider
		second := ann
		second.ID, second.Username = "subject-second", "second"
		s := servertest.Start(t, db, p.With(t, []servertest.Known{ann, claimer, second}, nil))
		own := s.Workspace(t)
		squatter := s.Browser(t)
		_, link := invitationTo(t, s, own, viewer.RoleOwner, "")
		squatter.Get(link)
		wantTo(t, "joining", squatter.Post("/join", url.Values{"name": {"Ann"}, "email": {"ann@example.com"}, "password": {servertest.Password}}), "/workspaces/"+own.String()+"/keys")

		thief := s.Browser(t)
		want(t, "an address that is not vouched for", thief.Get(p.Consent(away(t, thief, nil), claimer)), http.StatusForbidden, "does not confirm")
		if userOf(t, s, "ann@example.com").Issuer != nil {
			t.Fatal("bound without proof")
		}
		person := s.Browser(t)
		wantTo(t, "a vouched one", person.Get(p.Consent(away(t, person, nil), ann)), "/")
		wantTo(t, "the start", person.Get("/"), "/workspaces/"+own.String()+"/keys")
		want(t, "the notice", person.Get("/account"), http.StatusOK, "From now on you sign in with Example ID")
		wantTo(t, "the session from before", squatter.Get("/account"), "/sign-in?ended=1")
		want(t, "the password from before", signIn(squatter, "ann@example.com"), http.StatusUnprocessableEntity)
		other := s.Browser(t)
		want(t, "another identity with the address", other.Get(p.Consent(away(t, other, nil), second)), http.StatusForbidden, "but not here")
	})
}

// An invitation with an address is for the identity with that address alone.
func TestIdentityAndAnInvitationOfAnother(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		var p servertest.IdentityProvider
		s := servertest.Start(t, db, p.With(t, []servertest.Known{ann}, nil))
		own := s.Workspace(t)
		i, link := invitationTo(t, s, own, viewer.RoleDeveloper, "bob@example.com")
		person := s.Browser(t)
		person.Get(link)
		want(t, "another's invitation", person.Get(p.Consent(away(t, person, nil), ann)), http.StatusForbidden, "another email address")
		if _, err := account.InvitationOf(t.Context(), s.Ent, i.ID); err != nil || userOf(t, s, "ann@example.com") != nil {
			t.Errorf("the invitation: %v; the user %v", err, userOf(t, s, "ann@example.com"))
		}
	})
}

// What comes back must be the answer to what was asked, here, and once.
func TestIdentityAnswersThatDoNotHold(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		var p servertest.IdentityProvider
		s := servertest.Start(t, db, p.With(t, []servertest.Known{ann}, nil))
		_, link := invitationTo(t, s, s.Workspace(t), viewer.RoleViewer, "")
		s.Member(t, s.Workspace(t), viewer.RoleViewer)
		refused := func(what string, b *servertest.Browser, path string) {
			t.Helper()
			want(t, what, b.Get(path), http.StatusForbidden, "did not sign you in", "Start again")
			wantTo(t, what, b.Get("/account"), "/sign-in")
		}
		visitor := func() *servertest.Browser { b := s.Browser(t); b.Get(link); return b }
		change := func(path string, set func(url.Values)) string {
			u, err := url.Parse(path)
			if err != nil {
				t.Fatal(err)
			}
			q := u.Query()
			set(q)
			u.RawQuery = q.Encode()
			return u.String()
		}

		b := visitor()
		refused("nobody asked", b, "/sign-in/oidc/callback?code=1&state=")
		refused("no state", b, change(p.Consent(away(t, b, nil), ann), func(q url.Values) { q.Del("state") }))
		refused("another's state", b, p.Consent(away(t, visitor(), nil), ann))
		back := p.Consent(away(t, b, nil), ann)
		refused("a wrong state", b, change(back, func(q url.Values) { q.Set("state", "x") }))
		refused("after a wrong state", b, back) // one attempt
		refused("another nonce", b, p.Consent(away(t, b, func(q url.Values) { q.Set("nonce", "x") }), ann))
		refused("another verifier", b, p.Consent(away(t, b, func(q url.Values) { q.Set("code_challenge", strings.Repeat("x", 43)) }), ann))
		refused("a wrong code", b, change(p.Consent(away(t, b, nil), ann), func(q url.Values) { q.Set("code", "x") }))
		refused("another issuer", b, change(p.Consent(away(t, b, nil), ann), func(q url.Values) { q.Set("iss", "https://attacker.example") }))
		refused("an error of the provider's", b, p.Consent(away(t, b, func(q url.Values) { q.Set("prompt", "none") }), ann))
		refused("a hostile error", b, change(p.Consent(away(t, b, nil), ann), func(q url.Values) {
			q.Set("error", "<script>\n")
			q.Set("error_description", strings.Repeat("x", 9999))
		}))

		back = p.Consent(away(t, b, nil), ann)
		wantTo(t, "one that holds", b.Get(back), "/account")
		other := visitor()
		used, err := url.Parse(back)
		if err != nil {
			t.Fatal(err)
		}
		refused("a code that was used", other, change(p.Consent(away(t, other, nil), ann), func(q url.Values) { q.Set("code", used.Query().Get("code")) }))
		want(t, "replayed", b.Get(back), http.StatusForbidden)
		want(t, "still signed in", b.Get("/account"), http.StatusOK)
		s.Stop()
		if n := strings.Count(s.Log.String(), "nobody was signed in by the identity provider"); n != 13 {
			t.Errorf("%d lines in the log for 13 answers", n)
		}
		for _, secret := range []string{used.Query().Get("code"), used.Query().Get("state"), "s3cret"} {
			if strings.Contains(s.Log.String(), secret) {
				t.Errorf("the log holds %q", secret)
			}
		}
	})
}

// A provider that is down keeps nobody with a password out, and is asked again.
func TestIdentityProviderIsDown(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		var p servertest.IdentityProvider
		s := servertest.Start(t, db, p.With(t, []servertest.Known{ann}, nil))
		p.Stop()
		_, link := invitationTo(t, s, s.Workspace(t), viewer.RoleViewer, "")
		person := s.Member(t, s.Workspace(t), viewer.RoleViewer) // signs in with a password
		want(t, "the account", person.Get("/account"), http.StatusOK)
		b := s.Browser(t)
		b.Get(link)
		r := b.Get("/sign-in/oidc")
		want(t, "the provider", r, http.StatusServiceUnavailable, "Example ID cannot be reached")
		if r.Header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		p.Start()
		time.Sleep(2 * time.Second)
		back := p.Consent(away(t, b, nil), ann)
		p.Stop()
		want(t, "gone before the code is used", b.Get(back), http.StatusServiceUnavailable, "cannot be reached")
		p.Start() // with another key, which is to be fetched
		wantTo(t, "back again", b.Get(p.Consent(away(t, b, nil), ann)), "/")
	})
}

func TestWithoutIdentityProvider(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		want(t, "the way there", s.Browser(t).Get("/sign-in/oidc"), http.StatusNotFound)
		want(t, "the way back", s.Browser(t).Get("/sign-in/oidc/callback?code=1&state="), http.StatusNotFound)
		if r := s.Browser(t).Get("/sign-in"); strings.Contains(string(r.Body), "oidc") {
			t.Errorf("the form offers it\n%s", r.Body)
		}
	})
}

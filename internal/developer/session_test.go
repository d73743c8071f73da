package developer_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"records/ent"
	"records/ent/rule"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
	"records/internal/viewer"
)

const cookie = "records_session"

// A session that somebody else planted before the sign-in opens nothing afterwards.
func TestFixation(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		_, link := invitationTo(t, s, own, viewer.RoleViewer, "") // gives a visitor a session
		attacker := s.Browser(t)
		attacker.Get(link)
		planted := attacker.Cookie(cookie)
		if planted == "" {
			t.Fatal("a visitor with an invitation has no session")
		}
		victim := s.Member(t, own, viewer.RoleOwner)
		victim.Post("/sign-out", nil)
		victim.SetCookie(cookie, planted)
		signIn(victim, victim.Email)
		if victim.Cookie(cookie) == planted {
			t.Fatal("the session's token is the one from before")
		}
		want(t, "the victim", victim.Get("/account"), http.StatusOK, "This one")
		wantTo(t, "the attacker", attacker.Get("/account"), "/sign-in?ended=1")

		// Nor one that the attacker made up.
		victim.Post("/sign-out", nil)
		victim.SetCookie(cookie, "made-up")
		signIn(victim, victim.Email)
		if victim.Cookie(cookie) == "made-up" {
			t.Error("the server takes a token that it did not make")
		}
	})
}

func TestSessionCookie(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		for url, name := range map[string]string{"http://127.0.0.1:1": cookie, "https://records.example.com": "__Host-" + cookie} {
			s := servertest.Start(t, db, func(o *server.Options) { o.DeveloperURL = url })
			person := s.Member(t, s.Workspace(t), viewer.RoleViewer)
			signedOut := person.Post("/sign-out", nil)
			for _, r := range []servertest.Response{signIn(person, person.Email), signedOut} {
				set := strings.Join(r.Header.Values("Set-Cookie"), "\n")
				for _, part := range []string{name + "=", "; Path=/", "; HttpOnly", "; Secure", "; SameSite=Lax"} {
					if !strings.Contains(set, part) {
						t.Errorf("%s: %q lacks %q", url, set, part)
					}
				}
				if strings.Contains(set, "Domain") {
					t.Errorf("%s: %q has a domain", url, set)
				}
			}
		}
	})
}

// People see their sessions, and no others, and end them.
func TestSessions(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		first, other := s.Member(t, own, viewer.RoleViewer), s.Member(t, own, viewer.RoleOwner)
		second := s.Browser(t)
		agent := "Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Firefox/150.0\xff\x00<script>"
		wantTo(t, "the second browser", second.Do(http.MethodPost, "/sign-in", url.Values{"email": {first.Email}, "password": {servertest.Password}}, http.Header{"User-Agent": {strings.ReplaceAll(agent, "\x00", "")}}), "/")
		page := first.Get("/account")
		want(t, "the account", page, http.StatusOK, "Firefox on Linux", "127.0.0.1", "This one")
		if n := strings.Count(string(page.Body), "/account/sessions/"); n != 3 {
			t.Errorf("%d ways to end sessions, want two and one for all others", n)
		}
		rows, foreign := sessionsOf(t, s, first.User), sessionsOf(t, s, other.User)
		if len(rows) != 2 || len(foreign) != 1 {
			t.Fatalf("%d and %d sessions", len(rows), len(foreign))
		}
		want(t, "ending another's", first.Post("/account/sessions/"+foreign[0].ID.String()+"/end", nil), http.StatusNotFound)
		want(t, "ending none", first.Post("/account/sessions/1/end", nil), http.StatusNotFound)
		want(t, "the other", other.Get("/account"), http.StatusOK)

		wantTo(t, "ending all others", first.Post("/account/sessions/end-others", nil), "/account")
		wantTo(t, "the second browser", second.Get("/account"), "/sign-in?ended=1")
		want(t, "the first", first.Get("/account"), http.StatusOK, "All other sessions have ended.")
		want(t, "the other", other.Get("/account"), http.StatusOK)

		wantTo(t, "ending its own", first.Post("/account/sessions/"+sessionsOf(t, s, first.User)[0].ID.String()+"/end", nil), "/sign-in")
		if left := sessionsOf(t, s, first.User); len(left) != 0 {
			t.Errorf("signing out left %d sessions", len(left))
		}
	})
}

// What is ended stays ended, though a request in another tab would write to it.
func TestAnEndedSessionStaysSo(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		person := s.Member(t, s.Workspace(t), viewer.RoleOwner)
		token := person.Cookie(cookie)
		for range 20 {
			var both sync.WaitGroup
			for _, path := range []string{"/sign-out", "/account/sessions/end-others"} { // which leaves a notice
				tab := s.Browser(t)
				tab.SetCookie(cookie, token)
				both.Go(func() { tab.Post(path, nil) })
			}
			both.Wait()
			if left := sessionsOf(t, s, person.User); len(left) != 0 {
				t.Fatal("the session is there again")
			}
			signIn(person, person.Email)
			token = person.Cookie(cookie)
		}
	})
}

// A session ends when it is not used, and two weeks after the sign-in in any case. That
// it is used is written once a minute.
func TestSessionLife(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		person := s.Member(t, s.Workspace(t), viewer.RoleOwner)
		row := func() *ent.Session { return sessionsOf(t, s, person.User)[0] }
		change := func(set func(*ent.SessionUpdateOne)) {
			t.Helper()
			u := s.Ent.Session.UpdateOne(row())
			set(u)
			if err := u.Exec(rule.AsOperator(t.Context())); err != nil {
				t.Fatal(err)
			}
		}
		ends := func(at time.Time) {
			t.Helper()
			if d := row().ExpiresAt.Sub(at); d < -time.Minute || d > time.Minute {
				t.Errorf("it ends at %v, want %v", row().ExpiresAt, at)
			}
		}
		ends(time.Now().Add(3 * 24 * time.Hour))

		recent := time.Now().Add(-50 * time.Second).UTC().Truncate(time.Millisecond)
		change(func(u *ent.SessionUpdateOne) { u.SetLastUsedAt(recent) })
		person.Get("/account")
		if !row().LastUsedAt.Equal(recent) {
			t.Error("it is written more than once a minute")
		}
		change(func(u *ent.SessionUpdateOne) {
			u.SetLastUsedAt(recent.Add(-time.Minute)).SetExpiresAt(time.Now().Add(time.Hour))
		})
		person.Get("/account")
		if time.Since(row().LastUsedAt) > time.Minute {
			t.Error("it is not written that it was used")
		}
		ends(time.Now().Add(3 * 24 * time.Hour))

		soon := time.Now().Add(time.Hour).UTC()
		var data map[string]any
		if err := json.Unmarshal(row().Data, &data); err != nil {
			t.Fatal(err)
		}
		data["deadline"] = soon
		ending, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		change(func(u *ent.SessionUpdateOne) { u.SetData(ending).SetLastUsedAt(recent.Add(-time.Hour)) })
		want(t, "an hour before its end", person.Get("/account"), http.StatusOK)
		ends(soon)

		change(func(u *ent.SessionUpdateOne) { u.SetExpiresAt(time.Now().Add(-time.Second)) })
		wantTo(t, "after its end", person.Get("/account"), "/sign-in?ended=1")
	})
}

func TestChangePassword(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		person := s.Member(t, s.Workspace(t), viewer.RoleOwner)
		second := s.Browser(t)
		signIn(second, person.Email)
		const next = "another battery of horses"
		form := func(present, password string) url.Values {
			return url.Values{"present": {present}, "password": {password}}
		}
		want(t, "too short", person.Post("/account/password", form(servertest.Password, "short")), http.StatusUnprocessableEntity, "12 characters or more", `aria-invalid="true"`, "password-fault")
		want(t, "common", person.Post("/account/password", form(servertest.Password, "Password1234")), http.StatusUnprocessableEntity, "tried first")
		want(t, "the address", person.Post("/account/password", form(servertest.Password, person.Email)), http.StatusUnprocessableEntity, "more than your name")
		want(t, "a wrong one", person.Post("/account/password", form("not the password", next)), http.StatusUnprocessableEntity, "present-fault")
		want(t, "the second", second.Get("/account"), http.StatusOK)
		before := person.Cookie(cookie)
		wantTo(t, "the change", person.Post("/account/password", form(servertest.Password, next)), "/account")
		if person.Cookie(cookie) == before {
			t.Error("the session's token is the one from before")
		}
		want(t, "after the change", person.Get("/account"), http.StatusOK, "Your password is changed.")
		wantTo(t, "the second", second.Get("/account"), "/sign-in?ended=1")
		want(t, "the old password", signIn(second, person.Email), http.StatusUnprocessableEntity)
		wantTo(t, "the new one", second.Post("/sign-in", url.Values{"email": {" " + strings.ToUpper(person.Email)}, "password": {next}}), "/account")
		for range 10 {
			person.Post("/account/password", form("not the password", next))
		}
		if r := person.Post("/account/password", form(next, servertest.Password)); r.Status != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
			t.Errorf("guessing the present password: %d", r.Status)
		}
	})
}

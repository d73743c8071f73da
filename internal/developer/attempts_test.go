package developer_test

import (
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
	"records/internal/viewer"
)

// guess tries a password from an address.
func guess(b *servertest.Browser, from, email, password string) servertest.Response {
	return b.Do(http.MethodPost, "/sign-in", url.Values{"email": {email}, "password": {password}},
		http.Header{"X-Forwarded-For": {from}, "Sec-Fetch-Site": {"same-origin"}})
}

func behindProxy(o *server.Options) {
	o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

// One address may guess ten times a minute, whomever it guesses at.
func TestGuessesOfAnAddress(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db, behindProxy)
		attacker, person := s.Browser(t), s.Member(t, s.Workspace(t), viewer.RoleViewer)
		for i := range 10 {
			want(t, "a guess", guess(attacker, "2001:db8::"+strconv.Itoa(i), strconv.Itoa(i)+"@example.com", "a wrong password"), http.StatusUnprocessableEntity)
		}
		tooMany(t, guess(attacker, "2001:db8::99", person.Email, servertest.Password))
		for range 12 { // those that succeed are no guesses
			wantTo(t, "another address", guess(s.Browser(t), "192.0.2.1", person.Email, servertest.Password), "/")
		}
	})
}

// An account is guessed at ten times in a quarter of an hour, from however many
// addresses. Its owner comes in all the same, in a browser that they have used.
func TestGuessesAtAnAccount(t *testing.T) {
	redis := dbtest.Redis(t)
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		shared := func(o *server.Options) { behindProxy(o); o.CeilingStore = redis }
		s, replica := servertest.Start(t, db, shared), servertest.Start(t, db, shared)
		person, nobody := s.Member(t, s.Workspace(t), viewer.RoleViewer), "nobody-"+t.Name()[len(t.Name())-4:]+"@example.com"
		for _, email := range []string{person.Email, nobody} {
			for i := range 10 {
				at := []*servertest.Server{s, replica}[i%2]
				want(t, "a guess", guess(at.Browser(t), "192.0.2."+strconv.Itoa(i), email, "a wrong password"), http.StatusUnprocessableEntity)
			}
			tooMany(t, guess(replica.Browser(t), "198.51.100.1", " "+strings.ToUpper(email)+" ", servertest.Password))
		}
		person.Post("/sign-out", nil)
		wantTo(t, "the owner", guess(person, "198.51.100.2", person.Email, servertest.Password), "/")

		// The mark of one's own browser is none for another user.
		thief := s.Member(t, s.Workspace(t), viewer.RoleViewer)
		thief.Post("/sign-out", nil)
		tooMany(t, guess(thief, "198.51.100.3", person.Email, servertest.Password))
		forged := s.Browser(t)
		forged.SetCookie("records_browser", "AAAA.BBBB")
		tooMany(t, guess(forged, "198.51.100.4", person.Email, servertest.Password))
	})
}

// With a mark, too, guesses are counted.
func TestGuessesInAMarkedBrowser(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db, behindProxy)
		person := s.Member(t, s.Workspace(t), viewer.RoleViewer)
		person.Post("/sign-out", nil)
		for i := range 10 {
			want(t, "a guess", guess(person, "192.0.2."+strconv.Itoa(i), person.Email, "a wrong password"), http.StatusUnprocessableEntity)
		}
		tooMany(t, guess(person, "198.51.100.1", person.Email, servertest.Password))
	})
}

func tooMany(t *testing.T, r servertest.Response) {
	t.Helper()
	want(t, "one too many", r, http.StatusTooManyRequests, "too many attempts")
	if s, err := strconv.Atoi(r.Header.Get("Retry-After")); err != nil || s < 1 || s > 900 {
		t.Errorf("Retry-After is %q", r.Header.Get("Retry-After"))
	}
}

// What no database would take is refused as any wrong address is, and shown escaped.
func TestHostileAddresses(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db, behindProxy)
		for i, email := range []string{"", "a\x00@example.com", "\xff@example.com", strings.Repeat("a", 10_000) + "@example.com", `"><script>alert(1)</script>@example.com`, "' OR 1=1 --@example.com"} {
			r := guess(s.Browser(t), "192.0.2."+strconv.Itoa(i), email, "a wrong password")
			want(t, email, r, http.StatusUnprocessableEntity, "The email address or the password is wrong.")
			if strings.Contains(string(r.Body), "<script>") {
				t.Errorf("%q is not escaped", email)
			}
		}
		want(t, "too large a form", guess(s.Browser(t), "192.0.2.99", strings.Repeat("a", 70<<10), "a"), http.StatusRequestEntityTooLarge)
		wantTo(t, "elsewhere", s.Member(t, s.Workspace(t), viewer.RoleViewer).Get("/sign-in?next=https://attacker.example&return=//attacker.example"), "/")
	})
}

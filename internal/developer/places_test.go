package developer_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/identity"
	"records/internal/server"
	"records/internal/servertest"
	"records/internal/viewer"
)

// more is more pages than there are places for, on either database.
const more = 12

// impatient waits a second for a place.
func impatient(o *server.Options) { o.MaxWait = time.Second }

// A form that does not come holds no place that other pages wait for.
func TestSlowFormsHoldNoPlace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db, impatient)
		for _, kind := range []string{"application/x-www-form-urlencoded", "multipart/form-data; boundary=b"} {
			for range more {
				c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				defer c.Close()
				if _, err := io.WriteString(c, "POST /sign-in HTTP/1.1\r\nHost: a\r\nContent-Type: "+kind+"\r\nContent-Length: 99\r\n\r\n--b"); err != nil {
					t.Fatal(err)
				}
			}
			time.Sleep(300 * time.Millisecond)
			want(t, kind, s.Browser(t).Get("/sign-in"), http.StatusOK)
		}
	})
}

// Nor does an identity provider that does not answer.
func TestSlowProviderHoldsNoPlace(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
		t.Cleanup(silent.Close)
		s := servertest.Start(t, db, impatient, func(o *server.Options) {
			o.Identity = identity.New(identity.Settings{Issuer: silent.URL, ClientID: "records", ClientSecret: "s3cret", Name: "Example ID"})
		})
		away := make(chan servertest.Response, more)
		for range more {
			b := s.Browser(t)
			go func() { away <- b.Get("/sign-in/oidc") }()
		}
		time.Sleep(300 * time.Millisecond)
		want(t, "the form", s.Browser(t).Get("/sign-in"), http.StatusOK)
		reached := 0
		for range more {
			if r := <-away; strings.Contains(string(r.Body), "Example ID cannot be reached") {
				reached++
			}
		}
		if reached < more/2 { // an address has so many attempts
			t.Errorf("%d of %d are told of it", reached, more)
		}
	})
}

// What is slow for one address leaves places to others.
func TestAnAddressLeavesPlaces(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db, impatient, func(o *server.Options) {
			o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
		})
		workspace := s.Workspace(t)
		member := s.Member(t, workspace, viewer.RoleDeveloper)
		release := holdRecord(t, db)
		if db.Dialect() == dialect.SQLite { // whose transaction keeps all others from writing
			tx, err := db.SQL().BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			release = func() { _ = tx.Rollback() }
		}
		from := func(address string) http.Header {
			return http.Header{"Origin": {s.URL}, "X-Forwarded-For": {address}}
		}
		var slow sync.WaitGroup
		for range more {
			b := s.Browser(t)
			b.SetCookie(cookie, member.Cookie(cookie))
			slow.Go(func() {
				b.Do(http.MethodPost, "/workspaces/"+workspace.String()+"/keys/new", form("form", uuid.NewString(), "name", "a", "scope", "read", "expiry", "30"), from("192.0.2.1"))
			})
		}
		time.Sleep(300 * time.Millisecond)
		for range 5 {
			want(t, "the form, elsewhere", s.Browser(t).Do(http.MethodGet, "/sign-in", nil, from("192.0.2.2")), http.StatusOK)
		}
		want(t, "the form, from there", s.Browser(t).Do(http.MethodGet, "/sign-in", nil, from("192.0.2.1")), http.StatusServiceUnavailable, "too much to do")
		release()
		slow.Wait()
		want(t, "the form, afterwards", s.Browser(t).Do(http.MethodGet, "/sign-in", nil, from("192.0.2.1")), http.StatusOK)
	})
}

// A form in parts is a form as well, if it is one.
func TestFormsInParts(t *testing.T) {
	onEach(t, func(t *testing.T, a area) {
		send := func(body string) servertest.Response {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, a.URL+"/sign-in", strings.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
			answer, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer answer.Body.Close()
			page, err := io.ReadAll(answer.Body)
			if err != nil {
				t.Fatal(err)
			}
			return servertest.Response{Status: answer.StatusCode, Header: answer.Header, Body: page}
		}
		part := "--b\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n"
		says(t, "whole", send(part+"ann@example.com\r\n--b--\r\n"), http.StatusUnprocessableEntity)
		says(t, "half", send(part+"ann"), http.StatusBadRequest, "The form could not be read.")
		says(t, "too large", send(part+strings.Repeat("a", 65<<10)+"\r\n--b--\r\n"), http.StatusRequestEntityTooLarge, "The form is too large.")
	})
}

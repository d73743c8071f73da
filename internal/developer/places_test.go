package developer_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/identity"
	"records/internal/server"
	"records/internal/servertest"
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

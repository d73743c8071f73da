package identity_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"records/internal/identity"
)

// everywhere runs a part of a test for each question to the provider.
func everywhere(t *testing.T, part func(t *testing.T, path string)) {
	t.Helper()
	t.Parallel()
	for _, path := range []string{discovery, keys, token, userinfo} {
		t.Run(path[1:], func(t *testing.T) {
			t.Parallel()
			part(t, path)
		})
	}
}

// wantFailed wants nobody to be signed in, soon and for a reason that is known.
func wantFailed(t *testing.T, what string, p *provider) {
	t.Helper()
	began := time.Now()
	_, err := p.signIn()
	if !errors.Is(err, identity.ErrUnavailable) && !errors.Is(err, identity.ErrRefused) {
		t.Errorf("%s: %v", what, err)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("%s: took %s", what, took)
	}
}

func TestSignIn(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	p.instead[discovery] = func(w http.ResponseWriter, r *http.Request) { // that may be elsewhere
		http.Redirect(w, r, "/elsewhere", http.StatusFound)
	}
	p.instead["/elsewhere"] = func(w http.ResponseWriter, r *http.Request) {
		delete(p.instead, discovery)
		r.URL.Path = discovery
		p.ServeHTTP(w, r)
	}
	if who, err := p.signIn(); err != nil || who.Subject != "ann" || who.Email != "ann@example.com" || !who.EmailVerified {
		t.Errorf("%+v, %v", who, err)
	}
}

// What no database of ours keeps names nobody.
func TestNUL(t *testing.T) {
	t.Parallel()
	for _, claim := range []string{"sub", "email"} {
		p := newProvider(t)
		p.claims[claim] = "ann\x00"
		p.told["userinfo_endpoint"] = ""
		wantFailed(t, claim, p)
	}
}

// An answer without end is read to its bound.
func TestAnswersWithoutEnd(t *testing.T) {
	everywhere(t, func(t *testing.T, path string) {
		var sent atomic.Int64
		endless := func(w io.Writer) {
			if _, err := io.WriteString(w, `{"a":"`); err != nil {
				return
			}
			for part := []byte(strings.Repeat("x", 64<<10)); sent.Load() < 64<<20; sent.Add(int64(len(part))) {
				if _, err := w.Write(part); err != nil {
					return
				}
			}
		}
		for what, say := range map[string]http.HandlerFunc{
			"plain":   func(w http.ResponseWriter, _ *http.Request) { endless(w) },
			"failing": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway); endless(w) },
			"compressed": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Encoding", "gzip")
				z := gzip.NewWriter(w)
				endless(z)
				_ = z.Close()
			},
			"header": func(w http.ResponseWriter, _ *http.Request) {
				for i := range 100 {
					w.Header().Set(fmt.Sprint("X-", i), strings.Repeat("x", 4<<10))
				}
			},
		} {
			p := newProvider(t)
			p.instead[path] = func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				say(w, r)
			}
			sent.Store(0)
			wantFailed(t, what, p)
			if n := sent.Load(); n > 32<<20 && what != "compressed" { // what the kernel takes in advance included
				t.Errorf("%s: %d bytes were sent", what, n)
			}
		}
	})
}

// An answer that does not come is not waited for.
func TestAnswersThatDoNotCome(t *testing.T) {
	everywhere(t, func(t *testing.T, path string) {
		p := newProvider(t)
		p.instead[path] = func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, " ")
				_ = http.NewResponseController(w).Flush()
				time.Sleep(50 * time.Millisecond)
			}
		}
		wantFailed(t, "dripping", p)
	})
}

// What the provider says is neither long nor ours in an error.
func TestWhatItSays(t *testing.T) {
	everywhere(t, func(t *testing.T, path string) {
		long := strings.Repeat("line\n\x1b[2J", 10_000)
		for what, say := range map[string]http.HandlerFunc{
			"a long failure": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, long, http.StatusServiceUnavailable) },
			"a long refusal": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, long, http.StatusForbidden) },
			"no JSON":        func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, long) },
			"long fields": func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprintf(w, `{"issuer":%[1]q,"keys":%[1]q,"error":%[1]q,"error_description":%[1]q,"sub":%[1]q,"email":1}`, strings.Repeat("line\n", 10_000))
			},
			"a long reason": func(w http.ResponseWriter, _ *http.Request) {
				c, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				fmt.Fprintf(c, "HTTP/1.1 500 %s\r\nContent-Length: 0\r\n\r\n", strings.Repeat("x", 10_000))
			},
			"what it was sent": func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				http.Error(w, r.Header.Get("Authorization")+string(body), http.StatusForbidden)
			},
			"our secret": func(w http.ResponseWriter, r *http.Request) {
				_, escaped, _ := r.BasicAuth()
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusBadRequest)
				fmt.Fprintf(w, `{"error":%q,"error_description":%q}`, secret, fmt.Sprintf("%s, %s, %q", r.Header.Get("Authorization"), escaped, secret))
			},
			"our secret as an address": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", "http://["+url.QueryEscape(secret))
				w.WriteHeader(http.StatusTemporaryRedirect)
			},
		} {
			p := newProvider(t)
			p.instead[path] = say
			wantFailed(t, what, p)
		}
	})
}

// So do a token's claims.
func TestWhatATokenSays(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("line\n", 10_000)
	for name, value := range map[string]any{"iss": long, "aud": long, "sub": long, "nonce": long, "exp": long, "email": []string{long}} {
		p := newProvider(t)
		p.claims[name] = value
		wantFailed(t, name, p)
	}
	p := newProvider(t)
	p.claims["iss"] = secret
	wantFailed(t, "our secret", p)
}

// A token that was given to another client, and an answer without the name that the
// provider says is in it, prove nothing.
func TestWhomATokenIsFor(t *testing.T) {
	t.Parallel()
	for party, fine := range map[string]bool{"records": true, "other": false} {
		p := newProvider(t)
		p.claims["azp"] = party
		if _, err := p.signIn(); (err == nil) != fine || !fine && !errors.Is(err, identity.ErrRefused) {
			t.Errorf("azp %s: %v", party, err)
		}
	}
	p := newProvider(t)
	p.told["authorization_response_iss_parameter_supported"] = true
	if _, err := p.signIn(); !errors.Is(err, identity.ErrRefused) {
		t.Errorf("without iss: %v", err)
	}
	p.answer.Set("iss", "")
	if _, err := p.signIn(); !errors.Is(err, identity.ErrRefused) {
		t.Errorf("with an empty iss: %v", err)
	}
	p.answer.Set("iss", p.url)
	if _, err := p.signIn(); err != nil {
		t.Errorf("with iss: %v", err)
	}
}

// What the token says of an address that it does not tell is not said of another.
func TestWhichAddressIsVerified(t *testing.T) {
	t.Parallel()
	p := newProvider(t)
	p.claims["email_verified"] = true
	p.instead[userinfo] = func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"sub":"ann","email":"bob@example.com"}`)
	}
	if who, err := p.signIn(); err != nil || who.Email != "bob@example.com" || who.EmailVerified {
		t.Errorf("%+v, %v", who, err)
	}
}

// Our secret, and a person's token, go to nobody else.
func TestSecretsFollowNoRedirect(t *testing.T) {
	t.Parallel()
	for _, path := range []string{token, userinfo} {
		for _, status := range []int{301, 302, 303, 307, 308} {
			var heard atomic.Int64
			other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { heard.Add(1) }))
			t.Cleanup(other.Close)
			p := newProvider(t)
			for _, to := range []string{other.URL, p.url + "/other"} {
				p.instead["/other"] = other.Config.Handler.ServeHTTP
				p.instead[path] = func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, status) }
				wantFailed(t, fmt.Sprint(path, " ", status), p)
			}
			if n := heard.Load(); n > 0 {
				t.Errorf("%s: %d is followed", path, status)
			}
		}
	}
}

// People are sent to sites alone.
func TestWherePeopleAreSent(t *testing.T) {
	t.Parallel()
	for to, fine := range map[string]bool{
		"https://id.example.com/authorize": true, "https://id.example.com/authorize?a=b": true, "http://127.0.0.1:1/": true, "http://localhost/": true, "http://[::1]/": true,
		"": false, "/authorize": false, "//id.example.com/": false, "javascript:alert(1)": false, "javascript://id.example.com/%0aalert(1)": false, "data:text/html,x": false,
		"file:///etc/passwd": false, "ftp://id.example.com/": false, "http://id.example.com/": false, "http://10.0.0.7/": false, "https://": false, "https:///a": false, "https://u:p@id.example.com/": false,
		"https://id.example.com/#a": false, "https://id.example.com/\r\nSet-Cookie: a=b": false,
	} {
		p := newProvider(t)
		p.told["authorization_endpoint"] = to
		sent, _, err := p.ours.Begin(t.Context())
		if fine != (err == nil) || fine && !strings.HasPrefix(sent, to) || !fine && !errors.Is(err, identity.ErrUnavailable) {
			t.Errorf("%q: %q, %v", to, sent, err)
		}
	}
}

// Whoever is on the way hears no secret, and tells us no keys.
func TestOpenQuestions(t *testing.T) {
	t.Parallel()
	for name, path := range map[string]string{"token_endpoint": token, "jwks_uri": keys, "userinfo_endpoint": userinfo} {
		p := newProvider(t)
		p.told[name] = "http://192.0.2.1" + path
		began := time.Now()
		if _, err := p.signIn(); err == nil || !strings.Contains(err.Error(), "its address is not") || time.Since(began) > 4*time.Second {
			t.Errorf("%s: %v after %s", name, err, time.Since(began))
		}
	}
	p := newProvider(t)
	p.instead[keys] = func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://192.0.2.1/keys", http.StatusFound)
	}
	if _, err := p.signIn(); err == nil || !strings.Contains(err.Error(), "its address is not") {
		t.Errorf("redirected: %v", err)
	}
}

package main_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"records/internal/servertest"
)

// secrets are what a test looks for in all that a program says and keeps.
type secrets struct {
	t *testing.T

	mu      sync.Mutex
	nowhere map[string]string // in nothing but the answer that shows it: what it is, by its text
	told    map[string]string // what clients send, which only the database and they may have
	said    []saying
}

// saying is something that was written, answered or kept.
type saying struct {
	where, text string
	shows       []string // what it is there to show
	toClient    bool     // or is in the database: it may hold what clients have sent
}

func newSecrets(t *testing.T) *secrets {
	return &secrets{t: t, nowhere: map[string]string{}, told: map[string]string{}}
}

// one makes a secret. Nothing in it needs an escape, so that it is found in any form.
func (s *secrets) one(what string) string {
	return s.add(what, "canary"+strings.ReplaceAll(uuid.NewString(), "-", ""))
}

// add adds one that was made elsewhere.
func (s *secrets) add(what, text string) string {
	s.t.Helper()
	if len(text) < 20 {
		s.t.Fatalf("%s is %q, which is no secret", what, text)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.nowhere[text] = what
	return text
}

// token adds that of a key, of which the first characters are its prefix.
func (s *secrets) token(what, token string) string {
	s.add("the end of "+what, token[12:])
	return token
}

// content makes a text that a client sends.
func (s *secrets) content(what string) string {
	text := "canary" + strings.ReplaceAll(uuid.NewString(), "-", "")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told[text] = what
	return text
}

func (s *secrets) say(one saying) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.said = append(s.said, one)
	return one.text
}

// look looks through everything.
func (s *secrets) look() {
	s.t.Helper()
	if len(s.nowhere) < 10 || len(s.told) < 3 || len(s.said) < 100 {
		s.t.Fatalf("only %d secrets, %d texts and %d sayings", len(s.nowhere), len(s.told), len(s.said))
	}
	for _, one := range s.said {
		text := one.text
		for _, shown := range one.shows {
			text = strings.ReplaceAll(text, shown, "")
		}
		for secret, what := range s.nowhere {
			s.refuse(one.where, text, secret, what)
		}
		if one.toClient {
			continue
		}
		for secret, what := range s.told {
			s.refuse(one.where, text, secret, what)
		}
	}
}

func (s *secrets) refuse(where, text, secret, what string) {
	s.t.Helper()
	if i := strings.Index(text, secret); i >= 0 {
		s.t.Errorf("%s holds %s: …%s…", where, what, text[max(0, i-100):min(len(text), i+len(secret)+20)])
	}
}

// run runs a command, and keeps what it says.
func (s *secrets) run(p *program, shows func(stdout string) []string, args ...string) string {
	s.t.Helper()
	stdout, stderr, _ := p.run(args...)
	one := saying{where: "records " + args[0], text: stdout + stderr}
	if shows != nil {
		one.shows = shows(stdout)
	}
	s.say(one)
	return stdout
}

// api asks the server for something, and keeps the answer.
func (s *secrets) api(server *served, method, path, token, body string) int {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), method, server.address+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Error(err)
	}
	s.say(saying{where: fmt.Sprintf("the answer %d to %s %s", res.StatusCode, method, path), text: string(text), toClient: true})
	return res.StatusCode
}

// page asks for one, or sends a form, and keeps the answer.
func (s *secrets) page(b *servertest.Browser, path string, form url.Values, shows func(text string) []string) servertest.Response {
	s.t.Helper()
	var r servertest.Response
	if form == nil {
		r = b.Get(path)
	} else {
		r = b.Post(path, form)
	}
	one := saying{where: fmt.Sprintf("the page %d at %s", r.Status, path), text: string(r.Body) + r.Header.Get("Location"), toClient: true}
	if shows != nil {
		one.shows = shows(one.text)
	}
	s.say(one)
	return r
}

// collector takes traces, and fails every other time. Who asks it must know a password.
func (s *secrets) collector(password string) string {
	n := 0
	c := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.say(saying{where: "a batch of spans", text: string(body)})
		if _, given, _ := r.BasicAuth(); given != password {
			s.t.Error("the collector's password is another one")
		}
		if n++; n%2 == 0 {
			http.Error(w, "no", http.StatusBadRequest)
		}
	}))
	s.t.Cleanup(c.Close)
	return strings.Replace(c.URL, "http://", "http://records:"+password+"@", 1)
}

// provider is one of OpenID Connect that answers with what it was sent.
func (s *secrets) provider() string {
	var c *httptest.Server
	c = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "openid-configuration") {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"issuer":%q,"authorization_endpoint":%[2]q,"token_endpoint":%[2]q,"jwks_uri":%[2]q,"id_token_signing_alg_values_supported":["RS256"]}`, c.URL, c.URL+"/x")
			return
		}
		body, _ := io.ReadAll(r.Body)
		_, secret, _ := r.BasicAuth()
		http.Error(w, fmt.Sprintf("failed: %s, %s, %s", r.URL, body, secret), http.StatusInternalServerError)
	}))
	s.t.Cleanup(c.Close)
	return c.URL
}

package servertest

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"records/internal/developer"
	"records/internal/identity"
	"records/internal/server"
)

// Known is somebody whom the identity provider knows.
type Known struct {
	ID, Username, Password string
	FirstName, LastName    string
	Email                  string
	EmailVerified          bool
}

// IdentityProvider is a running provider of OpenID Connect.
type IdentityProvider struct {
	URL string // its issuer

	t        testing.TB
	file     string
	settings identity.Settings
	process  *exec.Cmd
}

// With starts an identity provider that knows some people, and has the server sign
// people in by it, for as long as the test lasts. change may be nil.
func (p *IdentityProvider) With(t testing.TB, people []Known, change func(*identity.Settings)) Option {
	return func(o *server.Options) {
		t.Helper()
		p.t = t
		p.file = filepath.Join(t.TempDir(), "people.json")
		p.know(people...)
		settings := identity.Settings{ClientID: "records", ClientSecret: "s3cret", Name: "Example ID", Redirect: o.DeveloperURL + developer.IdentityPath}
		p.settings, p.URL = settings, "http://127.0.0.1:0"
		p.Start()
		settings.Issuer = p.URL
		if change != nil {
			change(&settings)
		}
		o.Identity = identity.New(settings)
	}
}

// know writes down whom the provider knows when it starts.
func (p *IdentityProvider) know(people ...Known) {
	p.t.Helper()
	byID := map[string]Known{}
	for _, k := range people {
		byID[k.ID] = k
	}
	content, err := json.Marshal(byID)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.file, content, 0o600); err != nil {
		p.t.Fatal(err)
	}
}

// Start starts the provider, where it was before if it was stopped.
func (p *IdentityProvider) Start() {
	p.t.Helper()
	program, err := providerProgram()
	if err != nil {
		p.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.process = exec.CommandContext(ctx, program, "-users", p.file, "-client", p.settings.ClientID, "-redirects", p.settings.Redirect,
		"-addr", strings.TrimPrefix(p.URL, "http://"))
	p.process.Env = append(os.Environ(), "CLIENT_SECRET="+p.settings.ClientSecret)
	out, err := p.process.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := p.process.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { cancel(); _ = p.process.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		p.t.Fatalf("the identity provider has not started: %v", err)
	}
	p.URL = strings.TrimSpace(line)
}

// Stop ends the provider before the test does.
func (p *IdentityProvider) Stop() { _ = p.process.Process.Kill(); _ = p.process.Wait() }

// providerProgram builds the provider, once in a process.
var providerProgram = sync.OnceValues(func() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return "", fmt.Errorf("find the module: %w", err)
	}
	folder := strings.TrimSpace(string(root))
	program := filepath.Join(folder, ".bin", "identity")
	own := fmt.Sprintf("%s.%d", program, os.Getpid()) // tests of other packages may build it at this moment, or run it
	build := exec.CommandContext(ctx, "go", "build", "-o", own, ".")
	build.Dir = filepath.Join(folder, "tools", "identity")
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build the identity provider: %w\n%s", err, out)
	}
	return program, os.Rename(own, program)
})

// Consent goes to where the provider is asked to sign somebody in, and gives name and
// password there. It returns the path, with its query, at which the server is to hear
// of it.
func (p *IdentityProvider) Consent(to string, who Known) string {
	p.t.Helper()
	login := p.follow(http.MethodGet, to, nil)
	if !strings.HasPrefix(login, p.URL) {
		return path(p.t, login) // it refuses at once
	}
	u, err := url.Parse(login)
	if err != nil {
		p.t.Fatal(err)
	}
	u.RawQuery, login = "", u.Query().Get("authRequestID")
	answer := p.follow(http.MethodPost, u.String(), url.Values{"id": {login}, "username": {who.Username}, "password": {who.Password}})
	return path(p.t, p.follow(http.MethodGet, answer, nil))
}

// follow returns where a request is sent on to.
func (p *IdentityProvider) follow(method, to string, form url.Values) string {
	p.t.Helper()
	if strings.HasPrefix(to, "/") {
		to = p.URL + to
	}
	r, err := http.NewRequestWithContext(p.t.Context(), method, to, strings.NewReader(form.Encode()))
	if err != nil {
		p.t.Fatal(err)
	}
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer, err := transport.RoundTrip(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	next := answer.Header.Get("Location")
	if next == "" {
		p.t.Fatalf("the identity provider answers %s %s with %d:\n%s", method, to, answer.StatusCode, body)
	}
	if strings.HasPrefix(next, "/") {
		next = p.URL + next
	}
	return next
}

func path(t testing.TB, raw string) string {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u.RequestURI()
}

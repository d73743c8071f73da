package servertest

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"

	"records/internal/account"
	"records/internal/viewer"
)

// Password is that of everybody whom Member makes.
const Password = "correct horse battery staple"

// Browser calls the developer area as one person: it keeps cookies, and follows no
// redirect. It sends what a browser sends with a form of the same site.
type Browser struct {
	t       testing.TB
	base    string
	cookies map[string]string

	User  uuid.UUID // zero until somebody is signed in by Member
	Email string
}

// Browser returns one in which nobody is signed in.
func (s *Server) Browser(t testing.TB) *Browser {
	return &Browser{t: t, base: s.URL, cookies: map[string]string{}}
}

// Member makes a user who is a member of a workspace, and signs them in.
func (s *Server) Member(t testing.TB, workspace uuid.UUID, role viewer.Role) *Browser {
	t.Helper()
	b := s.Browser(t)
	b.Email = "person-" + uuid.NewString() + "@example.com"
	u, err := account.CreateUser(t.Context(), s.Ent, account.NewUser{Email: b.Email, Name: "A person", Password: Password})
	if err != nil {
		t.Fatal(err)
	}
	b.User = u.ID
	if err := account.Join(t.Context(), s.Ent, workspace, u.ID, role); err != nil {
		t.Fatal(err)
	}
	if r := b.Post("/sign-in", url.Values{"email": {b.Email}, "password": {Password}}); r.Status != http.StatusSeeOther {
		t.Fatalf("signing in: %d\n%s", r.Status, r.Body)
	}
	return b
}

// Cookie returns the value of a cookie that the browser keeps, "" for none.
func (b *Browser) Cookie(name string) string { return b.cookies[name] }

// SetCookie plants a cookie, as somebody else might.
func (b *Browser) SetCookie(name, value string) { b.cookies[name] = value }

// On returns the browser, with its cookies, at another server.
func (b *Browser) On(s *Server) *Browser {
	other := *b
	other.base = s.URL
	return &other
}

// Get asks for a page.
func (b *Browser) Get(path string) Response {
	b.t.Helper()
	return b.Do(http.MethodGet, path, nil, nil)
}

// Post sends a form.
func (b *Browser) Post(path string, form url.Values) Response {
	b.t.Helper()
	return b.Do(http.MethodPost, path, form, http.Header{"Origin": {b.base}, "Sec-Fetch-Site": {"same-origin"}})
}

// Do sends a request with headers of one's own.
func (b *Browser) Do(method, path string, form url.Values, header http.Header) Response {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		b.t.Fatal(err)
	}
	request.Header.Set("Accept", "text/html")
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for name, values := range header {
		request.Header[name] = values
	}
	for name, value := range b.cookies {
		request.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	response, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatal(err)
	}
	for _, cookie := range response.Cookies() {
		if b.cookies[cookie.Name] = cookie.Value; cookie.MaxAge < 0 {
			delete(b.cookies, cookie.Name)
		}
	}
	return Response{Status: response.StatusCode, Header: response.Header, Body: body}
}

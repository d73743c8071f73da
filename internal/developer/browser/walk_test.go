package browser

import (
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/developer"
)

// Every page of the route table is one for everybody: as somebody sees it who is not
// signed in, and as the owner of a workspace does that has in it all there can be. A
// new page is walked by itself; what is new in a path is told to place.furnish.
func TestEveryPage(t *testing.T) {
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := begin(t, db)
		s.furnish(t)
		b := open(t, s.URL)
		b.visit("/sign-in")
		b.walk(s)
		b.signIn(s.email)
		b.walk(s)
	})
}

func (b *tab) walk(s *place) {
	b.t.Helper()
	walked := 0
	for _, path := range pages(b.t) {
		if path = s.fill(b.t, path); !b.isPage(path) {
			continue
		}
		if status := b.visit(path); status != http.StatusOK {
			b.t.Errorf("%s: %d", path, status)
		}
		b.hold()
		walked++
	}
	if walked == 0 {
		b.t.Error("no page was walked")
	}
}

// pages are the paths of everything that the area answers to GET.
func pages(t *testing.T) []string {
	t.Helper()
	area, err := developer.New(developer.Options{URL: "http://127.0.0.1", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	gin.SetMode(gin.ReleaseMode)
	e := gin.New()
	area.Routes(e)
	var all []string
	for _, route := range e.Routes() {
		elsewhere := strings.HasPrefix(route.Path, "/assets/") || strings.HasPrefix(route.Path, "/sign-in/oidc") // there is no provider
		if route.Method == http.MethodGet && !elsewhere {
			all = append(all, route.Path)
		}
	}
	slices.Sort(all) // so that the invitation is opened before /join, which shows it
	return all
}

// isPage tells whether there is HTML at a path for who is signed in; else it is a
// file, or leads elsewhere.
func (b *tab) isPage(path string) bool {
	b.t.Helper()
	kind, err := eval[string](b, `async (path) => {
		const answer = await fetch(path, { redirect: "manual" });
		return answer.type === "opaqueredirect" ? "" : (answer.headers.get("Content-Type") ?? "");
	}`, path)
	if err != nil {
		b.t.Fatal(err)
	}
	mediaType, _, _ := mime.ParseMediaType(kind)
	return mediaType == "text/html"
}

// fill puts values for the parameters into a path of the route table.
func (p *place) fill(t *testing.T, path string) string {
	t.Helper()
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, ":") || strings.HasPrefix(part, "*") {
			value, ok := p.parameters[part]
			if !ok {
				t.Fatalf("%s: say in place_test.go what %s is to be", path, part)
			}
			parts[i] = value
		}
	}
	return strings.Join(parts, "/")
}

package developer_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gin-gonic/gin"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/developer"
	"records/internal/servertest"
	"records/internal/viewer"
)

// Every form that another site sends is refused, whoever is signed in.
func TestFormsOfOtherSites(t *testing.T) {
	area, err := developer.New(developer.Options{URL: "http://127.0.0.1", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	engine := gin.New()
	area.Routes(engine)
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s := servertest.Start(t, db)
		own := s.Workspace(t)
		person := s.Member(t, own, viewer.RoleOwner)
		posts := 0
		for _, route := range engine.Routes() {
			if route.Method != http.MethodPost {
				continue
			}
			posts++
			path := strings.NewReplacer(":workspace", own.String(), ":member", own.String(), ":id", own.String(), ":invitation", own.String(), ":key", own.String()).Replace(route.Path)
			for name, header := range map[string]http.Header{
				"by its site":         {"Sec-Fetch-Site": {"cross-site"}},
				"by a sibling's site": {"Sec-Fetch-Site": {"same-site"}, "Origin": {"http://127.0.0.1:1"}},
				"by its origin":       {"Origin": {"https://attacker.example"}},
				"by none":             {"Origin": {"null"}},
			} {
				if r := person.Do(http.MethodPost, path, url.Values{"role": {"owner"}}, header); r.Status != http.StatusForbidden || !strings.Contains(string(r.Body), "another site") {
					t.Errorf("%s, told %s: %d\n%s", path, name, r.Status, r.Body)
				}
			}
		}
		if posts < 8 {
			t.Errorf("only %d routes take forms", posts)
		}
		wantTo(t, "still signed in", person.Get("/"), "/workspaces/"+own.String()+"/keys")
	})
}

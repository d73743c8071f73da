package server_test

import (
	"net/http"
	"testing"

	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/rowsecurity"
	"records/internal/servertest"
)

// confinedThrough serves a database under row-level security through a proxy, over one
// connection.
func confinedThrough(t *testing.T) (*dbtest.Proxy, *servertest.Server) {
	t.Helper()
	_, url := dbtest.ConfinedURLs(t)
	proxy := dbtest.NewProxy(t, url)
	db, err := database.Open(proxy.URL(), database.Options{MaxConns: 1, StatementCache: 100, Counted: entrest.Resources(nil).Tables(), Confined: rowsecurity.Tables()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return proxy, servertest.Start(t, db)
}

// Under row-level security an operation takes no round trip more while a connection
// goes on with one workspace, and one when it goes on with another.
func TestRoundTripsConfined(t *testing.T) {
	t.Parallel()
	t.Run("one workspace", func(t *testing.T) {
		t.Parallel()
		proxy, s := confinedThrough(t)
		c := s.NewClient(t)
		for _, r := range resourcesToWrite() {
			trips(t, proxy, c, r)
		}
	})
	t.Run("two in turn", func(t *testing.T) {
		t.Parallel()
		proxy, s := confinedThrough(t)
		one, other := s.NewClient(t), s.NewClient(t)
		path := "/tasks/" + one.Create("tasks", `{"name":"a"}`)
		fewest := int64(100)
		for range 10 {
			other.Do(http.MethodGet, path, nil)
			before := proxy.Writes()
			one.Do(http.MethodGet, path, nil)
			fewest = min(fewest, proxy.Writes()-before)
		}
		if fewest != 2 {
			t.Errorf("%d round trips, want 2", fewest)
		}
	})
}

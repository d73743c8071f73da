package server_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"entgo.io/ent/dialect"

	entrest "records/ent/rest"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/load"
	"records/internal/rest"
	"records/internal/servertest"
)

// resourcesToWrite are those that a client may write.
func resourcesToWrite() (all []rest.Resource) {
	for _, r := range entrest.Resources(nil) {
		if !r.Spec().ReadOnly {
			all = append(all, r)
		}
	}
	return all
}

// Each operation of each resource is one message to PostgreSQL once its statement
// is prepared, and as many without prepared statements. The key is cached; where
// it is looked up again in between, another try counts.
func TestRoundTrips(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]int{"prepared": 100, "as they are": 0} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			proxy := dbtest.NewProxy(t, dbtest.URL(t, dialect.Postgres))
			db, err := database.Open(proxy.URL(), database.Options{MaxConns: 1, StatementCache: keep, Counted: entrest.Resources(nil).Tables()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			c := servertest.Start(t, db).NewClient(t)
			for _, r := range resourcesToWrite() {
				trips(t, proxy, c, r)
			}
		})
	}
}

// mutable is a body without what cannot be changed, for which the record is read
// first.
func mutable(r rest.Resource, body map[string]any) map[string]any {
	for _, f := range r.Fields() {
		if f.Immutable {
			delete(body, f.Name)
		}
	}
	return body
}

func trips(t *testing.T, proxy *dbtest.Proxy, c *servertest.Client, r rest.Resource) {
	t.Helper()
	path := "/" + r.Spec().Plural
	n := 0
	body := func() map[string]any { n++; return load.Example(r, n, nil) }
	id := c.Create(r.Spec().Plural, body())
	for _, op := range []struct {
		name, method, path string
		body               func() any
		want               int64
	}{
		{"get", http.MethodGet, path + "/" + id, nil, 1},
		{"get of none", http.MethodGet, path + "/" + c.ID.String(), nil, 1},
		{"list", http.MethodGet, path, nil, 1},
		{"list past the end", http.MethodGet, path + "?offset=1000", nil, 2},
		{"create", http.MethodPost, path, func() any { return body() }, 1},
		{"update", http.MethodPatch, path + "/" + id, func() any { return mutable(r, body()) }, 1},
		{"update of none", http.MethodPatch, path + "/" + c.ID.String(), func() any { return mutable(r, body()) }, 1},
		{"update of nothing", http.MethodPatch, path + "/" + id, func() any { return map[string]any{} }, 1},
		{"delete of none", http.MethodDelete, path + "/" + c.ID.String(), nil, 1},
		{"refused", http.MethodPost, path, func() any { return map[string]any{"id": 1, "nonsense": 2} }, 0},
	} {
		fewest := int64(100)
		for range 6 {
			var sent any
			if op.body != nil {
				sent = op.body()
			}
			before := proxy.Writes()
			c.Do(op.method, op.path, sent)
			fewest = min(fewest, proxy.Writes()-before)
		}
		if fewest != op.want {
			t.Errorf("%s, %s: %d round trips, want %d", r.Spec().Plural, op.name, fewest, op.want)
		}
	}
}

// The API behind a PgBouncer that shares sessions, and behind one that does not.
func TestBehindPgBouncer(t *testing.T) {
	t.Parallel()
	for mode, keep := range map[string]int{"transaction": 0, "session": 100} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			url := dbtest.PgBouncer(t, dbtest.URL(t, dialect.Postgres), mode)
			db, err := database.Open(url, database.Options{MaxConns: 2, StatementCache: keep, Counted: entrest.Resources(nil).Tables()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			s := servertest.Start(t, db)
			var all sync.WaitGroup
			for range 4 {
				c := s.NewClient(t)
				all.Go(func() {
					for i := range 5 {
						for _, r := range resourcesToWrite() {
							useAll(t, c, r, i)
						}
					}
				})
			}
			all.Wait()
		})
	}
}

// useAll goes once through the operations of a resource, of which the client has
// no record before and after.
func useAll(t *testing.T, c *servertest.Client, r rest.Resource, n int) {
	list := "/" + r.Spec().Plural
	id := c.Create(r.Spec().Plural, load.Example(r, n, nil))
	for _, op := range []struct {
		method, path string
		body         any
	}{
		{http.MethodGet, list + "/" + id, nil},
		{http.MethodPatch, list + "/" + id, mutable(r, load.Example(r, n+1, nil))},
		{http.MethodGet, list, nil},
		{http.MethodDelete, list + "/" + id, nil},
	} {
		if res := c.Do(op.method, op.path, op.body); res.Status != http.StatusOK {
			t.Errorf("%s %s: %d %s", op.method, op.path, res.Status, res.Body)
		}
	}
	if count := c.Do(http.MethodGet, list, nil).JSON(t)["count"]; fmt.Sprint(count) != "0" {
		t.Errorf("%s: %v are left", list, count)
	}
}

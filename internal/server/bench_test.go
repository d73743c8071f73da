package server_test

import (
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
)

// Requests through the whole server, without a network: what a request costs
// before and after the database. "no path" and "malformed id" pass every
// middleware and ask no database.
func BenchmarkServe(b *testing.B) {
	s := servertest.Start(b, dbtest.Open(b, dialect.SQLite), ceilings(math.MaxInt32, math.MaxInt32), func(o *server.Options) {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	})
	caller := s.NewClient(b)
	id := caller.Create("tasks", map[string]any{"name": "Send the revised offer"})
	for _, bench := range []struct {
		name, path string
		key        bool
		want       int
	}{
		{"live", "/livez", false, http.StatusOK},
		{"no key", server.Base + "/tasks", false, http.StatusUnauthorized},
		{"no path", server.Base + "/nothing", true, http.StatusNotFound},
		{"malformed id", server.Base + "/tasks/1", true, http.StatusNotFound},
		{"get", server.Base + "/tasks/" + id, true, http.StatusOK},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := httptest.NewRequest(http.MethodGet, bench.path, nil)
			if bench.key {
				r.Header.Set("Authorization", "Bearer "+caller.Token)
			}
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				if s.Server.ServeHTTP(w, r); w.Code != bench.want {
					b.Fatal(w.Code, w.Body)
				}
			}
		})
	}
}

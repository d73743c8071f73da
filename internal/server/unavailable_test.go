package server_test

import (
	"strings"
	"testing"
	"time"

	"records/internal/dbtest"
	"records/migrate"
)

// behindLink starts a server whose database can be taken away.
func behindLink(t *testing.T) (service, *dbtest.Proxy) {
	t.Helper()
	proxy := dbtest.NewProxy(t, dbtest.URL(t, "postgres"))
	return start(t, dbtest.OpenURL(t, proxy.URL())), proxy
}

// With the database away, a key that was valid gets 503 within ten seconds, and
// neither 401 nor an answer of before.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	for name, takeAway := range map[string]func(*dbtest.Proxy){"refuses": (*dbtest.Proxy).Refuse, "is silent": (*dbtest.Proxy).Freeze} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, proxy := behindLink(t)
			id := s.write.Create("tasks", smallest("tasks"))
			takeAway(proxy)
			time.Sleep(time.Second) // so that nothing is known of the key any more
			for _, at := range []struct {
				method, path string
				body         any
			}{{"GET", "/tasks", nil}, {"GET", "/tasks/" + id, nil}, {"POST", "/tasks", `{"name":"b"}`}, {"DELETE", "/tasks/" + id, nil}} {
				began := time.Now()
				r := s.write.Do(at.method, at.path, at.body)
				wantError(t, at.method+" "+at.path, r, 503, "unavailable")
				if took := time.Since(began); took > 10*time.Second || r.Header.Get("Retry-After") == "" {
					t.Errorf("%s %s: after %s, Retry-After %q", at.method, at.path, took, r.Header.Get("Retry-After"))
				}
			}
			want401(t, "no token at all", s.anonymous.Do("GET", "/tasks", nil))
			want401(t, "no token by its form", s.anonymous.Do("GET", "/tasks", nil, "Authorization", "Bearer "+s.write.Token+"x"))
			ready := raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n")
			wantError(t, "readiness", ready, 503, "unavailable")
			wantStatus(t, "liveness", raw(t, s, "GET /livez HTTP/1.1\nHost: a\n\n"), 200)
			wantStatus(t, "description", s.anonymous.Do("GET", "/openapi.json", nil), 200)

			proxy.Restore()
			r := s.write.Do("GET", "/tasks/"+id, nil)
			for began := time.Now(); r.Status == 503 && time.Since(began) < 15*time.Second; r = s.write.Do("GET", "/tasks/"+id, nil) {
				time.Sleep(50 * time.Millisecond)
			}
			wantStatus(t, "back", r, 200)
			wantStatus(t, "readiness", raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n"), 200)
			if l := readList(t, s.write.Do("GET", "/tasks", nil)); l.Count != 1 {
				t.Errorf("%d records, want 1", l.Count)
			}
		})
	}
}

// A write whose reply is lost, but which the server sees to be there, is
// answered as if nothing had happened, and made once.
func TestLostReplies(t *testing.T) {
	t.Parallel()
	s, proxy := behindLink(t)
	id := s.write.Create("tasks", smallest("tasks"))

	proxy.Cut(dbtest.Cut{Match: "INSERT INTO"})
	created := s.write.Do("POST", "/tasks", `{"name":"b"}`)
	wantStatus(t, "create", created, 201)
	if l := readList(t, s.read.Do("GET", "/tasks", nil)); l.Count != 2 {
		t.Errorf("%d records, want 2", l.Count)
	}
	wantBody(t, "get", s.read.Do("GET", "/tasks/"+created.ID(t), nil), 200, string(created.Body))

	proxy.Cut(dbtest.Cut{Match: "UPDATE"})
	wantStatus(t, "update", s.write.Do("PATCH", "/tasks/"+id, `{"name":"c"}`), 200)
	proxy.Cut(dbtest.Cut{Match: "DELETE FROM"})
	lost := s.write.Do("DELETE", "/tasks/"+id, nil) // that nothing is there does not show who removed it
	wantError(t, "delete", lost, 503, "unavailable", "The write may have taken effect")
	wantBody(t, "again", s.write.Do("DELETE", "/tasks/"+id, nil), 200, `{"id":"`+id+`","deleted":false}`)
	proxy.Cut(dbtest.Cut{Match: "SELECT"})
	wantStatus(t, "get", s.read.Do("GET", "/tasks/"+created.ID(t), nil), 200)
}

// sql runs a statement by hand.
func (s service) sql(t *testing.T, statement string) {
	t.Helper()
	if _, err := s.Server.Server.DB.SQL().ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// While tables are missing, as in a restore, clients are told to try again, and the
// server is not ready; what needs none of them is served.
func TestTablesThatAreMissing(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		rename := func(from, to string) { t.Helper(); s.sql(t, "ALTER TABLE "+from+" RENAME TO "+to) }
		id := s.write.Create("tasks", smallest("tasks"))
		rename("tasks", "away")
		for path, methods := range map[string][]string{"/tasks": {"GET", "POST"}, "/tasks/" + id: {"GET", "PATCH", "DELETE"}} {
			for _, method := range methods {
				r := s.write.Do(method, path, smallest("tasks"))
				wantError(t, method, r, 503, "unavailable")
				if r.Header.Get("Retry-After") == "" {
					t.Errorf("%s: no Retry-After", method)
				}
			}
		}
		wantError(t, "readiness", raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n"), 503, "unavailable", "Tables or columns are missing in the database.")
		wantStatus(t, "another table", s.write.Do("GET", "/deals", nil), 200)
		rename("away", "tasks")
		wantStatus(t, "back", s.write.Do("GET", "/tasks/"+id, nil), 200)
		wantStatus(t, "readiness", raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n"), 200)
	})
}

// A column that somebody renamed is as a table that is away: clients are told to try
// again, and the server is not ready; what does not need it is served.
func TestColumnThatIsMissing(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", smallest("tasks"))
		s.sql(t, "ALTER TABLE tasks RENAME COLUMN priority TO away")
		for path, methods := range map[string][]string{"/tasks": {"GET", "POST"}, "/tasks/" + id: {"GET", "PATCH"}} {
			for _, method := range methods {
				r := s.write.Do(method, path, `{"name":"a","priority":"high"}`)
				wantError(t, method, r, 503, "unavailable")
				if r.Header.Get("Retry-After") == "" || strings.Contains(string(r.Body), "priority") {
					t.Errorf("%s: Retry-After %q, %s", method, r.Header.Get("Retry-After"), r.Body)
				}
			}
		}
		r := raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n")
		wantError(t, "readiness", r, 503, "unavailable", "Tables or columns are missing in the database.")
		wantStatus(t, "another table", s.write.Do("GET", "/deals", nil), 200)
		s.sql(t, "ALTER TABLE tasks RENAME COLUMN away TO priority")
		wantStatus(t, "back", s.write.Do("GET", "/tasks/"+id, nil), 200)
		wantStatus(t, "readiness", raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n"), 200)
	})
}

// Where the role may not do something, clients are told to try again, and what it may do
// goes on. The server is ready as long as the role may read.
func TestRoleThatMayDoLess(t *testing.T) {
	t.Parallel()
	owner, served := dbtest.Confined(t)
	s, role := start(t, served), dbtest.Rows(t, served, "SELECT current_user")[0][0]
	execute := func(statement string) {
		t.Helper()
		if _, err := owner.SQL().ExecContext(t.Context(), statement+" "+role); err != nil {
			t.Fatal(err)
		}
	}
	wantReady := func(status int) {
		t.Helper()
		r := raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n")
		wantStatus(t, "readiness", r, status)
		if status != 200 && !strings.Contains(string(r.Body), "PostgreSQL does not let this server's role read all that it has to.") || strings.Contains(string(r.Body), "tasks") {
			t.Errorf("readiness: %s", r.Body)
		}
	}
	id := s.write.Create("tasks", smallest("tasks"))
	wantReady(200)
	for right, method := range map[string]string{"INSERT": "POST /tasks", "UPDATE": "PATCH /tasks/" + id, "DELETE": "DELETE /tasks/" + id, "SELECT": "GET /tasks"} {
		execute("REVOKE " + right + " ON tasks FROM")
		verb, path, _ := strings.Cut(method, " ")
		r := s.write.Do(verb, path, smallest("tasks"))
		wantError(t, method, r, 503, "unavailable")
		if r.Header.Get("Retry-After") == "" || strings.Contains(string(r.Body), "permission") {
			t.Errorf("%s: Retry-After %q, %s", method, r.Header.Get("Retry-After"), r.Body)
		}
		if right == "SELECT" {
			wantReady(503)
		} else {
			wantReady(200)
			wantStatus(t, "a list, without "+right, s.write.Do("GET", "/tasks", nil), 200)
		}
		execute("GRANT " + right + " ON tasks TO")
		wantReady(200)
	}
	execute("REVOKE SELECT ON schema_history FROM")
	wantReady(503)
}

// While migrations are pending, the server is not ready.
func TestPendingMigrations(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		wantStatus(t, "up to date", raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n"), 200)
		if _, err := s.Server.Server.DB.SQL().ExecContext(t.Context(), "DELETE FROM "+migrate.Table); err != nil {
			t.Fatal(err)
		}
		r := raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n")
		wantError(t, "pending", r, 503, "unavailable", "igration")
		wantStatus(t, "liveness", raw(t, s, "GET /livez HTTP/1.1\nHost: a\n\n"), 200)
	})
}

package server_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"records/ent"
	"records/internal/servertest"
)

// Every failed request is answered alike, wherever it went.
func TestErrorsAreAlike(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for _, path := range []string{"/nothing", "", "/", "/tasks/a/b", "/tasks/" + person + "/comments", "/workspaces", "/keys", "/apikeys", "/users", "/tasks.json", "/v1/tasks", "/docs"} {
			for _, method := range []string{"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PURGE", "get"} {
				r := s.write.Do(method, path, nil)
				if method == "HEAD" {
					wantStatus(t, path, r, 404)
					continue
				}
				wantBody(t, method+" "+path, r, 404, `{"error":"not_found","message":"There is nothing at this path."}`)
			}
		}
		for path, allow := range map[string]string{
			"/tasks": "GET, HEAD, OPTIONS, POST", "/tasks/x": "DELETE, GET, HEAD, OPTIONS, PATCH", "/deals/": "GET, HEAD, OPTIONS, POST", "/companies/" + person + "/": "DELETE, GET, HEAD, OPTIONS, PATCH",
			"/invoices": "GET, HEAD, OPTIONS", "/invoices/x": "GET, HEAD, OPTIONS", "/openapi.json": "GET, HEAD, OPTIONS",
		} {
			for _, method := range []string{"PUT", "TRACE", "PURGE", "PROPFIND", "get", "POSTS", "QUERY"} {
				r := s.read.Do(method, path, nil)
				wantError(t, method+" "+path, r, 405, "method_not_allowed")
				if got := r.Header.Values("Allow"); len(got) != 1 || got[0] != allow {
					t.Errorf("%s %s: Allow %q, want %q", method, path, got, allow)
				}
			}
		}
		for _, id := range []string{"x", person, "0", "%00", "null", strings.Repeat("a", 2000), "0190163d8694739baea5966c26f8ad90", "%7B0190163d-8694-739b-aea5-966c26f8ad90%7D", "urn:uuid:0190163d-8694-739b-aea5-966c26f8ad90"} {
			for _, plural := range plurals {
				wantBody(t, id, s.read.Do("GET", "/"+plural+"/"+id, nil), 404, `{"error":"not_found","message":"There is no such record in this workspace."}`)
			}
		}
	})
}

// Outside of the API there is the same form of error, without a key.
func TestErrorsOutsideOfTheAPI(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		for _, target := range []string{"/nothing", "/api", "/api/v2/tasks", "/api/v1x", "/API/v1/tasks", "/v1/tasks", "/livez/x", "/.env", "/debug/pprof/"} {
			r := raw(t, s, "GET "+target+" HTTP/1.1\nHost: a\n\n")
			wantError(t, target, r, 404, "not_found")
		}
		for _, target := range []string{"/livez", "/readyz", "/livez/", "/readyz/"} {
			r := raw(t, s, "GET "+target+" HTTP/1.1\nHost: a\n\n")
			wantBody(t, target, r, 200, `{"status":"ok"}`)
			r = raw(t, s, "HEAD "+target+" HTTP/1.1\nHost: a\n\n")
			wantStatus(t, target, r, 200)
			r = raw(t, s, "POST "+target+" HTTP/1.1\nHost: a\nContent-Length: 0\n\n")
			wantError(t, target, r, 405, "method_not_allowed")
			if r.Header.Get("Allow") != "GET, HEAD" || r.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s: %v", target, r.Header)
			}
		}
		r := raw(t, s, "GET /metrics HTTP/1.1\nHost: a\n\n") // has a listener of its own
		wantError(t, "metrics", r, 404, "not_found")
	})
}

// What goes wrong inside stays inside.
func TestFaultsOfOurs(t *testing.T) {
	onEachKind(t, func(t *testing.T, s service) {
		const secret = "pq: syntax error at SELECT /home/records.go:17"
		const answer = `{"error":"internal_error","message":"Something went wrong on our side. It has been logged under the request id."}`
		s.Ent.Task.Use(func(ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(context.Context, ent.Mutation) (ent.Value, error) { panic(secret) })
		})
		s.Ent.Deal.Use(func(ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(context.Context, ent.Mutation) (ent.Value, error) { return nil, errors.New(secret) })
		})
		s.Ent.Contact.Use(func(ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(context.Context, ent.Mutation) (ent.Value, error) {
				panic(map[string]error{"a": nil}) // what is thrown may be anything
			})
		})
		for plural, body := range map[string]string{"tasks": `{"name":"a"}`, "deals": `{"title":"a"}`, "contacts": `{"name":"a"}`} {
			for what, r := range map[string]servertest.Response{
				"create": s.write.Do("POST", "/"+plural, body, "X-Request-Id", "a-panic"),
				"update": s.write.Do("PATCH", "/"+plural+"/"+person, body, "X-Request-Id", "a-panic"),
				"delete": s.write.Do("DELETE", "/"+plural+"/"+person, nil, "X-Request-Id", "a-panic"),
			} {
				wantBody(t, what+" in "+plural, r, 500, answer)
				if r.Header.Get("X-Request-Id") != "a-panic" || r.Header.Get("Location") != "" {
					t.Errorf("%s: %v", what, r.Header)
				}
			}
		}
		wantStatus(t, "afterwards", s.write.Do("GET", "/tasks", nil), 200)
		s.Stop()
		if log := s.Log.String(); strings.Count(log, secret) < 6 || strings.Contains(log, s.write.Token) {
			t.Error("the log lacks what happened, or has a token")
		}
	})
}

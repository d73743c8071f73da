package server_test

import (
	"testing"

	"records/internal/server"
	"records/internal/servertest"
	"records/internal/viewer"
)

func TestReadOnlyKey(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		const forbidden = `{"error":"read_only_key","message":"This key may only read."}`
		for _, plural := range plurals {
			for _, path := range []string{"/" + plural, "/" + plural + "/" + person, "/" + plural + "/x", "/" + plural + "/"} {
				for _, method := range []string{"POST", "PATCH", "DELETE"} {
					for _, body := range []any{nil, smallest(plural), "{", `{}`} {
						wantBody(t, method+" "+path, s.read.Do(method, path, body), 403, forbidden)
					}
				}
				for _, method := range []string{"GET", "HEAD"} {
					if r := s.read.Do(method, path, nil); r.Status != 200 && r.Status != 404 {
						t.Errorf("%s %s: %d", method, path, r.Status)
					}
				}
			}
		}
	})
}

func TestInvoicesAreReadOnly(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.invoice(t, "", "", "")
		r := s.read.Do("GET", "/invoices/"+id, nil)
		before := string(r.Body)
		wantStatus(t, "get", r, 200)
		for _, name := range []string{"number", "status", "currency", "amount", "issue_date", "due_date", "paid_at", "company_id", "contact_id", "deal_id", "description", "created_at", "updated_at"} {
			field(t, r, name)
		}
		if n := len(r.JSON(t)); n != 14 {
			t.Errorf("%d members, want 14: %s", n, r.Body)
		}
		for _, path := range []string{"/invoices", "/invoices/" + id, "/invoices/x", "/invoices/"} {
			for _, method := range []string{"POST", "PATCH", "DELETE", "PUT"} {
				r := s.write.Do(method, path, `{}`)
				wantError(t, method+" "+path, r, 405, "method_not_allowed")
				if got := r.Header.Values("Allow"); len(got) != 1 || got[0] != "GET, HEAD, OPTIONS" {
					t.Errorf("%s %s: Allow %q", method, path, got)
				}
			}
		}
		wantError(t, "theirs", s.stranger.Do("GET", "/invoices/"+id, nil), 404, "not_found")
		wantBody(t, "list", s.read.Do("GET", "/invoices", nil), 200, `{"data":[`+before+`],"limit":50,"offset":0,"count":1}`)
	})
}

// Where two things are wrong, the first of these is told: address ceiling, key,
// key ceiling, path, scope, method, body's size and type, 400, record.
func TestOrderOfChecks(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		bad := *s.write
		bad.Token += "x"
		absent := "/tasks/" + person
		for _, test := range []struct {
			what         string
			client       *servertest.Client
			method, path string
			body         any
			contentType  string
			status       int
			code         string
		}{
			{"401 before 404", &bad, "GET", "/nothing", nil, "", 401, "unauthorized"},
			{"401 before 404 of a record", &bad, "GET", absent, nil, "", 401, "unauthorized"},
			{"401 before 405", &bad, "PUT", "/tasks", nil, "", 401, "unauthorized"},
			{"401 before 415", &bad, "POST", "/tasks", "x", "text/plain", 401, "unauthorized"},
			{"401 before 400", &bad, "GET", "/tasks?limit=0", nil, "", 401, "unauthorized"},
			{"404 before 403", s.read, "POST", "/nothing", "{}", "application/json", 404, "not_found"},
			{"404 before 403", s.read, "DELETE", "/tasks/a/b", nil, "", 404, "not_found"},
			{"404 before 415", s.write, "POST", "/nothing", "x", "text/plain", 404, "not_found"},
			{"404 before 400", s.write, "GET", "/nothing?limit=0", nil, "", 404, "not_found"},
			{"403 before 405", s.read, "POST", absent, "{}", "application/json", 403, "read_only_key"},
			{"403 before 405", s.read, "DELETE", "/tasks", nil, "", 403, "read_only_key"},
			{"403 before 405", s.read, "PATCH", "/invoices/x", "{}", "application/json", 403, "read_only_key"},
			{"403 before 405", s.read, "POST", "/openapi.json", "{}", "application/json", 403, "read_only_key"},
			{"403 before 415", s.read, "POST", "/tasks", "x", "text/plain", 403, "read_only_key"},
			{"403 before 413", s.read, "POST", "/tasks", padded(200_000), "application/json", 403, "read_only_key"},
			{"403 before 400", s.read, "POST", "/tasks?a=b", "{", "application/json", 403, "read_only_key"},
			{"403 before 400", s.read, "DELETE", absent + "?a=b", nil, "", 403, "read_only_key"},
			{"403 before 404 of a record", s.read, "PATCH", absent, "{}", "application/json", 403, "read_only_key"},
			{"405 for another method", s.read, "PUT", "/tasks", "{}", "application/json", 405, "method_not_allowed"},
			{"405 before 415", s.write, "PUT", "/tasks", "x", "text/plain", 405, "method_not_allowed"},
			{"405 before 400", s.write, "POST", absent + "?a=b", "{", "application/json", 405, "method_not_allowed"},
			{"405 before 404 of a record", s.write, "PUT", absent, "{}", "application/json", 405, "method_not_allowed"},
			{"415 before 400", s.write, "POST", "/tasks?a=b", "{", "text/plain", 415, "unsupported_media_type"},
			{"415 before 400", s.write, "PATCH", "/tasks/x?a=b", "", "", 415, "unsupported_media_type"},
			{"415 before 404 of a record", s.write, "PATCH", absent, "{}", "text/plain", 415, "unsupported_media_type"},
			{"400 before 404 of a record", s.write, "PATCH", absent, "{", "application/json", 400, "invalid_json"},
			{"400 before 404 of a record", s.write, "PATCH", "/tasks/x", `{"name":null}`, "application/json", 400, "validation_failed"},
			{"400 before 404 of a record", s.write, "GET", absent + "?a=b", nil, "", 400, "invalid_parameter"},
			{"400 before 404 of a malformed id", s.write, "GET", "/tasks/x?a=b", nil, "", 400, "invalid_parameter"},
			{"form before values", s.write, "POST", "/tasks", `{"name":7,"nam":1,"name":7}`, "application/json", 400, "invalid_json"},
		} {
			r := test.client.Do(test.method, test.path, test.body, "Content-Type", test.contentType)
			wantError(t, test.what+": "+test.method+" "+test.path, r, test.status, test.code)
		}
	})
}

// The same order where a ceiling is reached: of the address before everything,
// of the key after the key and before everything else.
func TestOrderOfCeilings(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		bad := *s.write
		bad.Token += "x"
		for range 2 {
			wantStatus(t, "within", s.write.Do("GET", "/tasks", nil), 200)
			wantStatus(t, "within", s.read.Do("GET", "/tasks", nil), 200)
		}
		wantError(t, "401 before the key's", bad.Do("GET", "/tasks", nil), 401, "unauthorized")
		wantError(t, "the key's before 404", s.write.Do("GET", "/nothing", nil), 429, "rate_limited", "key")
		wantError(t, "the key's before 403", s.read.Do("POST", "/tasks", "{}"), 429, "rate_limited", "key")
		wantError(t, "the key's before 405", s.write.Do("PUT", "/tasks", "{}"), 429, "rate_limited", "key")
		wantError(t, "the key's before 415", s.write.Do("POST", "/tasks", "{}", "Content-Type", "a/b"), 429, "rate_limited", "key")
		wantError(t, "the key's before 400", s.write.Do("GET", "/tasks?a=b", nil), 429, "rate_limited", "key")
		another := s.Key(t, s.workspace, viewer.Write)
		wantStatus(t, "another key of the workspace", another.Do("GET", "/tasks", nil), 200) // the sixth on the address
		for range 2 {
			wantStatus(t, "the seventh and eighth", s.anonymous.Do("GET", "/openapi.json", nil), 200)
		}
		for _, c := range []*servertest.Client{s.write, another, &bad, s.anonymous} {
			wantError(t, "the address's before 401", c.Do("GET", "/nothing", nil), 429, "rate_limited", "address")
		}
	}, func(o *server.Options) { o.PerKey, o.PerIP = 2, 8 })
}

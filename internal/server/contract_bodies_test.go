package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"records/internal/servertest"
)

// nested is a value of that many levels.
func nested(levels int, open, inside, shut string) string {
	return strings.Repeat(open, levels) + inside + strings.Repeat(shut, levels)
}

func TestMalformedBodies(t *testing.T) {
	bodies := []string{
		"", " ", "\n", "null", "true", "7", `"name"`, `[]`, `[{"name":"a"}]`, "{", "}", `{"name"}`, `{"name":}`, `{"name":"a"`, `{"name":"a",}`, `{,}`, `{"name":"a" "status":"b"}`,
		`{name:"a"}`, `{'name':'a'}`, `{"name":"a"}}`, `{"name":"a"}{}`, `{"name":"a"} x`, `{"name":"a"}` + "\x00", `{"name":"a"},`, `{"name":"a"} null`, `{"name":"a"} // done`, `/**/{"name":"a"}`,
		"\ufeff" + `{"name":"a"}`, `{"name":"a"}` + "\ufeff", "\u00a0" + `{"name":"a"}`, `{"name":"a"}` + "\u00a0", "\xff\xfe{\x00}\x00", `name=a`, `{"name":"a";}`, `{"name":undefined}`, `{"name":tru}`,
		`{"name":"a","name":"a"}`, `{"name":"a","name":"b"}`, `{"name":"a","n\u0061me":"b"}`, `{"name":"a","status":null,"status":"b"}`, `{"name":"a","id":1,"id":2}`, `{"name":"a","x":1,"x":2}`,
		`{"name":"a","created_at":{"a":1,"a":2}}`, `{"name":"a","id":[[{"b":{"a":1,"\u0061":2}}]]}`, `{"name":"a","":1,"":2}`,
		`{"name":"a","id":` + nested(32, "[", "", "]") + `}`, `{"name":"a","id":` + nested(32, `{"a":`, "1", "}") + `}`, `{"name":"a","id":` + nested(5000, "[", "", "]") + `}`,
		`{"name":"a","id":` + strings.Repeat("[", 200_000), `{"name":"a","id":` + strings.Repeat(`{"a":`, 200_000), `{"name":` + nested(32, "[", "", "]") + `}`,
	}
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", map[string]any{"name": "before"})
		for _, body := range bodies {
			what := body[:min(len(body), 60)]
			wantError(t, "POST "+what, s.write.Do("POST", "/tasks", body), 400, "invalid_json")
			wantError(t, "PATCH "+what, s.write.Do("PATCH", "/tasks/"+id, body), 400, "invalid_json")
		}
		wantError(t, "no body", s.write.Do("POST", "/tasks", nil, "Content-Type", "application/json"), 400, "invalid_json")
		if l := readList(t, s.read.Do("GET", "/tasks", nil)); l.Count != 1 {
			t.Errorf("%d records, want 1", l.Count)
		}
		for _, fits := range []string{nested(31, "[", "", "]"), nested(31, `{"a":`, "1", "}"), `["` + nested(40, "[", `\"{`, "]") + `"]`, `[{"a":1},{"a":1}]`} {
			wantStatus(t, fits, s.write.Do("POST", "/tasks", `{"name":"a","id":`+fits+`}`), 201)
		}
		wantError(t, "depth 32 of a field", s.write.Do("POST", "/tasks", `{"name":`+nested(31, "[", "", "]")+`}`), 400, "validation_failed", "name")
	})
}

// All faults of a body are in one message, and an unknown field comes with the
// nearest name.
func TestAllFaultsAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("deals", map[string]any{"title": "before"})
		r := s.write.Do("POST", "/deals", `{"valeu":1,"stage":7,"value":"1","company_id":"x","owner_id":"","Title":"a"}`)
		wantError(t, "create", r, 400, "validation_failed", `"valeu"`, `"value"`, "stage ", "value ", "company_id ", "owner_id ", `"Title"`, `"title"`, "title is required")
		r = s.write.Do("PATCH", "/deals/"+id, `{"stge":1,"title":null,"contact_id":[],"value":1e99}`)
		wantError(t, "update", r, 400, "validation_failed", `"stge"`, `"stage"`, "title ", "contact_id ", "value ")
		for unknown, nearest := range map[string]string{
			"titel": "title", "Stage": "stage", "contactId": "contact_id", "ownerid": "owner_id", "company": "company_id", "values": "value", "workspace_id": "", "workspace": "", "": "", "ID": "",
			"title ": "title", "título": "title", strings.Repeat("x", 300): "",
		} {
			r := s.write.Do("PATCH", "/deals/"+id, `{`+quote(unknown)+`:null}`)
			if nearest != "" {
				nearest = quote(nearest)
			}
			wantError(t, unknown, r, 400, "validation_failed", "nearest", nearest, strings.TrimSuffix(quote(unknown[:min(len(unknown), 64)]), `"`))
		}
		var many []string
		for i := range 20_000 {
			many = append(many, fmt.Sprintf(`"x%d":1`, i))
		}
		r = s.write.Do("POST", "/deals", "{"+strings.Join(many, ",")+"}")
		wantError(t, "many", r, 400, "validation_failed", `"x0"`)
		if len(r.Body) > 64<<10 {
			t.Errorf("an answer of %d bytes", len(r.Body))
		}
	})
}

// padded is a body of n bytes that is well-formed.
func padded(n int) string {
	const body = `{"name":"a"}`
	return body + strings.Repeat(" ", n-len(body))
}

func TestBodySize(t *testing.T) {
	const most = 1 << 20
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", map[string]any{"name": "before"})
		wantStatus(t, "1 MiB", s.write.Do("POST", "/tasks", padded(most)), 201)
		wantStatus(t, "1 MiB", s.write.Do("PATCH", "/tasks/"+id, padded(most)), 200)
		for _, method := range []string{"POST /api/v1/tasks", "PATCH /api/v1/tasks/" + id} {
			head := method + " HTTP/1.1\nHost: a\nAuthorization: Bearer " + s.write.Token + "\nContent-Type: application/json\n"
			head = strings.ReplaceAll(head, "\n", "\r\n")
			for _, n := range []int{most + 1, 3 * most} {
				c := dial(t, s)
				r, rest := exchangeOn(t, c, head+fmt.Sprintf("Content-Length: %d\r\n\r\n", n)+padded(n))
				wantError(t, fmt.Sprintf("%s of %d", method, n), r, 413, "payload_too_large", "1 MiB")
				if n > 2*most && !isClosed(c, rest) {
					t.Errorf("%s: the connection stays open before the rest of a body", method)
				}
				r = exchange(t, s, head+fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", n, padded(n)))
				wantError(t, fmt.Sprintf("%s of %d in chunks", method, n), r, 413, "payload_too_large", "1 MiB")
			}
			r := exchange(t, s, head+"Content-Length: 99999999999\r\nExpect: 100-continue\r\n\r\n") // and nothing is ever sent
			wantError(t, "announced", r, 413, "payload_too_large")
			r = exchange(t, s, head+fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", most, padded(most)))
			if r.Status != 200 && r.Status != 201 {
				t.Errorf("%s of 1 MiB in chunks: %d %s", method, r.Status, r.Body)
			}
		}
	})
}

func TestContentTypes(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", map[string]any{"name": "a"})
		post := func(headers ...string) servertest.Response {
			return s.write.Do("POST", "/tasks", `{"name":"a"}`, headers...)
		}
		patch := func(headers ...string) servertest.Response {
			return s.write.Do("PATCH", "/tasks/"+id, `{"name":"a"}`, headers...)
		}
		for _, given := range []string{"application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8", "Application/JSON", "application/json; a=b; c=\"d\"", " application/json "} {
			wantStatus(t, given, post("Content-Type", given), 201)
			wantStatus(t, given, patch("Content-Type", given), 200)
		}
		for _, given := range []string{"application/merge-patch+json", "application/merge-patch+json; charset=utf-8", "APPLICATION/MERGE-PATCH+JSON"} {
			wantStatus(t, given, patch("Content-Type", given), 200)
			wantError(t, given, post("Content-Type", given), 415, "unsupported_media_type")
		}
		for _, given := range []string{
			"", "text/plain", "text/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=a", "application/json-patch+json", "application/problem+json", "application/jsonx", "application/xjson",
			"application", "json", "*/*", "application/*", "application/json, text/plain", "text/plain; application/json", "application/json text/plain", ";", "application/vnd.api+json", "application/json+merge-patch",
		} {
			wantError(t, given, post("Content-Type", given), 415, "unsupported_media_type", "application/json")
			wantError(t, given, patch("Content-Type", given), 415, "unsupported_media_type", "application/json")
		}
		for _, encoding := range []string{"gzip", "deflate", "br", "zstd", "x", "identity, gzip", "gzip, identity"} {
			wantError(t, encoding, post("Content-Encoding", encoding), 415, "unsupported_media_type", "Content-Encoding")
			wantError(t, encoding, patch("Content-Encoding", encoding), 415, "unsupported_media_type", "Content-Encoding")
		}
		wantStatus(t, "identity", post("Content-Encoding", "identity"), 201)
		wantStatus(t, "Identity", post("Content-Encoding", "Identity"), 201)
		for _, twice := range []string{"Content-Type: application/json\nContent-Type: application/json", "Content-Type: application/json\nContent-Type: text/plain", "Content-Type: application/json\nContent-Encoding: identity\nContent-Encoding: gzip"} {
			r := raw(t, s, "POST /api/v1/tasks HTTP/1.1\nHost: a\nAuthorization: Bearer "+s.write.Token+"\n"+twice+"\nContent-Length: 12\n\n"+`{"name":"a"}`)
			wantError(t, twice, r, http.StatusUnsupportedMediaType, "unsupported_media_type")
		}
	})
}

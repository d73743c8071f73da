package server_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"records/internal/servertest"
)

// HEAD is answered as GET, without a body.
func TestHead(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", map[string]any{"name": "a", "description": strings.Repeat("d", 3000)})
		for _, path := range []string{"/tasks", "/tasks/", "/tasks/" + id, "/tasks/x", "/tasks?limit=0", "/tasks/" + id + "?a=b", "/nothing", "", "/invoices", "/openapi.json"} {
			for i, c := range []*servertest.Client{s.write, s.anonymous, s.write} {
				headers := []string{"X-Request-Id", "a"}
				if i == 2 {
					headers = append(headers, "Accept-Encoding", "gzip")
				}
				get, head := c.Do("GET", path, nil, headers...), c.Do("HEAD", path, nil, headers...)
				if head.Status != get.Status || len(head.Body) > 0 {
					t.Errorf("%s: GET %d, HEAD %d with %d bytes", path, get.Status, head.Status, len(head.Body))
				}
				get.Header.Del("Date")
				head.Header.Del("Date")
				if fmt.Sprint(get.Header) != fmt.Sprint(head.Header) {
					t.Errorf("%s: headers of GET %v, of HEAD %v", path, get.Header, head.Header)
				}
			}
		}
	})
}

func TestOptions(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		for path, allow := range map[string]string{
			"/tasks": "GET, HEAD, OPTIONS, POST", "/tasks/": "GET, HEAD, OPTIONS, POST", "/tasks/" + person: "DELETE, GET, HEAD, OPTIONS, PATCH", "/companies/x/": "DELETE, GET, HEAD, OPTIONS, PATCH",
			"/invoices": "GET, HEAD, OPTIONS", "/invoices/x": "GET, HEAD, OPTIONS", "/openapi.json": "GET, HEAD, OPTIONS",
		} {
			for _, c := range []*servertest.Client{s.anonymous, s.read, s.write} {
				r := c.Do("OPTIONS", path, nil, "Origin", "https://app.example", "Access-Control-Request-Method", "PATCH", "Access-Control-Request-Headers", "authorization,content-type")
				h := r.Header
				if r.Status != 204 || len(r.Body) > 0 || h.Get("Allow") != allow || h.Get("Access-Control-Allow-Methods") != allow || h.Get("Access-Control-Allow-Origin") != "*" ||
					h.Get("Access-Control-Allow-Credentials") != "" || h.Get("Content-Type") != "" || h.Get("Transfer-Encoding") != "" {
					t.Errorf("%s: %d %v", path, r.Status, h)
				}
				for _, name := range []string{"Authorization", "Content-Type"} {
					if !strings.Contains(h.Get("Access-Control-Allow-Headers"), name) {
						t.Errorf("%s: a browser may not send %s", path, name)
					}
				}
			}
		}
	})
}

// Under /api/v1 every answer may be read from any origin, and no other may.
func TestCORS(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		exposed := []string{"Allow", "Location", "Retry-After", "WWW-Authenticate", "X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"}
		for _, r := range []servertest.Response{
			s.write.Do("GET", "/tasks", nil), s.write.Do("GET", "/tasks", nil, "Origin", "null"), s.write.Do("POST", "/tasks", `{"name":"a"}`, "Origin", "https://a.example"), s.anonymous.Do("GET", "/tasks", nil), s.write.Do("GET", "/nothing", nil),
			s.read.Do("POST", "/tasks", `{}`), s.write.Do("PUT", "/tasks", nil), s.write.Do("POST", "/tasks", "x", "Content-Type", ""), s.anonymous.Do("GET", "/openapi.json", nil), s.write.Do("GET", "", nil),
		} {
			if o := r.Header.Values("Access-Control-Allow-Origin"); len(o) != 1 || o[0] != "*" || r.Header.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%d: %v", r.Status, r.Header)
			}
			given := strings.Split(r.Header.Get("Access-Control-Expose-Headers"), ", ")
			for _, name := range exposed {
				if !slices.Contains(given, name) {
					t.Errorf("%d: %s is not exposed", r.Status, name)
				}
			}
		}
		for _, target := range []string{"/", "/livez", "/readyz", "/nothing", "/api", "/api/v1x", "/API/v1/tasks", "//api/v1/tasks", "/%61pi/v1/tasks"} {
			r := raw(t, s, "GET "+target+" HTTP/1.1\nHost: a\nOrigin: https://a.example\n\n")
			for name := range r.Header {
				if strings.HasPrefix(name, "Access-Control-") {
					t.Errorf("%s: %s", target, name)
				}
			}
		}
	})
}

// Answers above 1 KiB are compressed for those who ask.
func TestCompression(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", map[string]any{"name": "a", "description": ""})
		size := len(s.write.Do("GET", "/tasks/"+id, nil).Body)
		sized := func(n int) []byte {
			return s.write.Do("PATCH", "/tasks/"+id, map[string]any{"description": strings.Repeat("d", n-size)}).Body
		}
		for _, n := range []int{1023, 1024, 1025, 5000, 60_000} {
			body := sized(n)
			if len(body) != n {
				t.Fatalf("%d bytes, want %d", len(body), n)
			}
			for accept, asked := range map[string]bool{
				"gzip": true, "gzip;q=1": true, "gzip;q=0.5": true, "deflate, gzip, br": true, "deflate, gzip;q=0.001": true, "GZIP": true, "gzip;q=1.0, identity;q=0": true, "gzip, *;q=0": true, " gzip ; q=0.8 ,br": true,
				"": false, "identity": false, "gzip;q=0": false, "gzip;q=0.0": false, "gzip;q=0, identity": false, "deflate": false, "br": false, "gzipx": false, "identity, gzip;q=0.000": false, "*;q=0": false,
			} {
				r := s.write.Do("GET", "/tasks/"+id, nil, "Accept-Encoding", accept)
				encoded := r.Header.Get("Content-Encoding") == "gzip"
				got := r.Body
				if encoded {
					got = unzip(t, r.Body)
				}
				if encoded != (asked && n > 1024) || !bytes.Equal(got, body) || r.Header.Get("Content-Type") != "application/json" {
					t.Errorf("%d bytes, %q: %v", n, accept, r.Header)
				}
				if n > 1024 && r.Header.Get("Vary") != "Accept-Encoding" {
					t.Errorf("%d bytes, %q: Vary %q", n, accept, r.Header.Values("Vary"))
				}
				if r.Header.Get("Content-Length") != fmt.Sprint(len(r.Body)) && !encoded {
					t.Errorf("%d bytes, %q: Content-Length %q", n, accept, r.Header.Get("Content-Length"))
				}
			}
		}
		r := s.anonymous.Do("GET", "/openapi.json", nil, "Accept-Encoding", "gzip")
		if r.Header.Get("Content-Encoding") != "gzip" || !json.Valid(unzip(t, r.Body)) {
			t.Errorf("description: %v", r.Header)
		}
		for accept, want := range map[string]string{"zstd": "zstd", "gzip, deflate, br, zstd": "zstd", "gzip, zstd;q=0.5": "gzip", "zstd;q=0": ""} { // Do unpacks what it holds to the description
			if r := s.anonymous.Do("GET", "/openapi.json", nil, "Accept-Encoding", accept); r.Header.Get("Content-Encoding") != want {
				t.Errorf("%q: %q, want %q", accept, r.Header.Get("Content-Encoding"), want)
			}
		}
		for lines, want := range map[string]string{"deflate\nAccept-Encoding: gzip": "gzip", "gzip;q=0\nAccept-Encoding: deflate": ""} { // several lines are one list
			r := raw(t, s, "GET /api/v1/openapi.json HTTP/1.1\nHost: a\nAccept-Encoding: "+lines+"\n\n")
			if got := r.Header.Get("Content-Encoding"); got != want {
				t.Errorf("%q: %q, want %q", lines, got, want)
			}
		}
	})
}

func unzip(t *testing.T, b []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// A sane request id is kept; any other is replaced by one of the server's.
func TestRequestID(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		for _, sane := range []string{"a", "7b3f9c1e-0000", "trace:1/2.3_4+5=6@7", strings.Repeat("a", 128)} {
			for _, r := range []servertest.Response{s.write.Do("GET", "/tasks", nil, "X-Request-Id", sane), s.anonymous.Do("GET", "/x", nil, "X-Request-Id", sane), s.write.Do("POST", "/tasks", "{", "X-Request-Id", sane)} {
				if got := r.Header.Values("X-Request-Id"); len(got) != 1 || got[0] != sane {
					t.Errorf("%q became %q", sane, got)
				}
			}
		}
		seen := map[string]bool{}
		for _, given := range []string{"", " ", "a b", "a\tb", "é", `"a"`, "a;b", "a,b", "<a>", "{a}", strings.Repeat("a", 129), "%0a", "$a", "a|b"} {
			r := s.write.Do("GET", "/tasks", nil, "X-Request-Id", given)
			got := r.Header.Values("X-Request-Id")
			if len(got) != 1 || len(got[0]) < 16 || got[0] == given || seen[got[0]] {
				t.Errorf("%q became %q", given, got)
			}
			seen[strings.Join(got, "")] = true
		}
		r := raw(t, s, "GET /livez HTTP/1.1\nHost: a\nX-Request-Id: a\nX-Request-Id: b\n\n")
		if got := r.Header.Values("X-Request-Id"); len(got) != 1 || len(got[0]) < 16 {
			t.Errorf("two became %q", got)
		}
	})
}

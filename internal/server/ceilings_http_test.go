package server_test

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
	"records/internal/viewer"
)

// ceilings sets both, in requests a minute.
func ceilings(perKey, perIP int) servertest.Option {
	return func(o *server.Options) { o.PerKey, o.PerIP = perKey, perIP }
}

// behindProxy makes the tests themselves a trusted proxy.
func behindProxy(o *server.Options) {
	o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
}

// wantStand fails the test unless the answer tells that this is where the
// caller stands: limit and remaining of the tighter ceiling, and both.
func wantStand(t *testing.T, what string, r servertest.Response, limit, remaining int, policy, left string) {
	t.Helper()
	h := r.Header
	reset, err := strconv.Atoi(h.Get("X-RateLimit-Reset"))
	if h.Get("X-RateLimit-Limit") != fmt.Sprint(limit) || h.Get("X-RateLimit-Remaining") != fmt.Sprint(remaining) || err != nil || reset < 1 || reset > 60 || h.Get("RateLimit-Policy") != policy {
		t.Errorf("%s: %d %v", what, r.Status, h)
	}
	var standings []string
	for standing := range strings.SplitSeq(h.Get("RateLimit"), ", ") {
		before, seconds, _ := strings.Cut(standing, ";t=")
		if n, err := strconv.Atoi(seconds); err != nil || n < 1 || n > 60 {
			t.Errorf("%s: RateLimit %s", what, standing)
		}
		standings = append(standings, before)
	}
	if got := strings.Join(standings, ", "); got != left {
		t.Errorf("%s: RateLimit %s, want %s", what, got, left)
	}
}

// want429 fails the test unless the answer refuses for this ceiling.
func want429(t *testing.T, what string, r servertest.Response, limit int, of string) {
	t.Helper()
	wantBody(t, what, r, 429, fmt.Sprintf(`{"error":"rate_limited","message":"The ceiling of %d requests per minute for this %s is reached."}`, limit, of))
	if n, err := strconv.Atoi(r.Header.Get("Retry-After")); err != nil || n < 1 || n > 60 || strings.Join(r.Header.Values("Retry-After"), "|") != fmt.Sprint(n) {
		t.Errorf("%s: Retry-After %q", what, r.Header.Values("Retry-After"))
	}
}

// The key's ceiling counts every request with the key, whatever comes of it.
func TestCeilingOfKey(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		const policy = `"key";q=5;w=60, "ip";q=100;w=60`
		for i, at := range []string{"GET /tasks", "GET /nothing", "PUT /tasks", "POST /tasks?a=b", "HEAD /tasks/x"} {
			method, path, _ := strings.Cut(at, " ")
			r := s.write.Do(method, path, nil)
			wantStand(t, at, r, 5, 4-i, policy, fmt.Sprintf(`"key";r=%d, "ip";r=%d`, 4-i, 99-i))
			if r.Status == 429 || r.Header.Get("Retry-After") != "" {
				t.Errorf("%s: %d %v", at, r.Status, r.Header)
			}
		}
		for range 3 { // which do not count on the address
			r := s.write.Do("POST", "/tasks", `{"name":"a"}`)
			want429(t, "one too many", r, 5, "API key")
			wantStand(t, "one too many", r, 5, 0, policy, `"key";r=0, "ip";r=95`)
		}
		r := s.read.Do("GET", "/tasks", nil)
		wantBody(t, "another key", r, 200, `{"data":[],"limit":50,"offset":0,"count":0}`)
		wantStand(t, "another key", r, 5, 4, policy, `"key";r=4, "ip";r=94`)
	}, ceilings(5, 100))
}

// The address's ceiling counts what has no valid key too, and what needs none.
func TestCeilingOfAddress(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		const policy = `"ip";q=7;w=60`
		left := 7
		count := func(what string, r servertest.Response, status int) {
			left--
			wantStatus(t, what, r, status)
			wantStand(t, what, r, 7, left, policy, fmt.Sprintf(`"ip";r=%d`, left))
		}
		count("no key", s.anonymous.Do("GET", "/tasks", nil), 401)
		count("description", s.anonymous.Do("GET", "/openapi.json", nil), 200)
		count("description with a key", s.write.Do("HEAD", "/openapi.json", nil), 200)
		count("options", s.write.Do("OPTIONS", "/tasks", nil), 204)
		count("options of nothing", s.anonymous.Do("OPTIONS", "/nothing", nil), 404)
		r := s.write.Do("GET", "/tasks", nil)
		wantStand(t, "with a key: none of the above", r, 7, 1, `"key";q=100;w=60, "ip";q=7;w=60`, `"key";r=99, "ip";r=1`)
		left--
		for _, target := range []string{"/livez", "/readyz", "/nothing"} { // outside of the API nothing counts
			r := raw(t, s, "GET "+target+" HTTP/1.1\nHost: a\n\n")
			if r.Status == 429 || r.Header.Get("RateLimit") != "" || r.Header.Get("X-RateLimit-Limit") != "" {
				t.Errorf("%s: %d %v", target, r.Status, r.Header)
			}
		}
		count("no path", s.anonymous.Do("GET", "", nil), 401)
		for _, c := range []*servertest.Client{s.anonymous, s.write, s.read} {
			for _, at := range []string{"GET /tasks", "POST /tasks", "GET /nothing", "PUT /tasks", "GET /openapi.json", "OPTIONS /tasks", "OPTIONS /nothing"} {
				method, path, _ := strings.Cut(at, " ")
				r := c.Do(method, path, nil)
				want429(t, at, r, 7, "IP address")
				wantStand(t, at, r, 7, 0, policy, `"ip";r=0`)
			}
		}
	}, ceilings(100, 7))
}

// What one ceiling refuses does not count on the other.
func TestRefusedByOneCeiling(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		from := func(address string) servertest.Response {
			return s.write.Do("GET", "/tasks", nil, "X-Forwarded-For", address)
		}
		const policy = `"key";q=3;w=60, "ip";q=2;w=60`
		wantStand(t, "first", from("192.0.2.1"), 2, 1, policy, `"key";r=2, "ip";r=1`)
		wantStand(t, "second", from("192.0.2.1"), 2, 0, policy, `"key";r=1, "ip";r=0`)
		for range 5 {
			want429(t, "by the address", from("192.0.2.1"), 2, "IP address")
		}
		wantStand(t, "from elsewhere", from("192.0.2.2"), 3, 0, policy, `"key";r=0, "ip";r=1`)
		for range 5 {
			want429(t, "by the key", from("192.0.2.3"), 3, "API key")
		}
		r := s.read.Do("GET", "/tasks", nil, "X-Forwarded-For", "192.0.2.3")
		wantStand(t, "another key", r, 2, 1, policy, `"key";r=2, "ip";r=1`)
	}, ceilings(3, 2), behindProxy)
}

// A ceiling of 0 is off, and says nothing.
func TestCeilingsOff(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		perKey, perIP int
		policy, left  string
	}{"both": {0, 0, "", ""}, "key": {0, 30, `"ip";q=30;w=60`, `"ip";r=10`}, "address": {30, 0, `"key";q=30;w=60`, `"key";r=10`}} {
		s := start(t, dbtest.Open(t, "sqlite3"), ceilings(test.perKey, test.perIP))
		var r servertest.Response
		for range 20 {
			r = s.write.Do("GET", "/tasks", nil)
			wantStatus(t, name, r, 200)
		}
		if test.policy != "" {
			wantStand(t, name, r, 30, 10, test.policy, test.left)
			continue
		}
		for header := range r.Header {
			if strings.Contains(header, "Ratelimit") {
				t.Errorf("%s: %s", name, header)
			}
		}
	}
}

// X-Forwarded-For counts from a trusted proxy alone, and nothing else does.
func TestForwardedAddress(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, "sqlite3")
	direct, proxied := start(t, db, ceilings(0, 100)), start(t, db, ceilings(0, 100), behindProxy)
	remaining := func(s service, headers ...string) string {
		t.Helper()
		head := "GET /api/v1/tasks HTTP/1.1\nHost: a\nAuthorization: Bearer " + direct.read.Token + "\n"
		r := raw(t, s, head+strings.Join(headers, "\n")+"\n\n")
		return r.Header.Get("X-RateLimit-Remaining")
	}
	for i := range 5 { // one and the same address, whatever is claimed
		for j, claim := range []string{"X-Forwarded-For: 192.0.2." + fmt.Sprint(i), "X-Real-IP: 192.0.2.9", "Forwarded: for=192.0.2.9", "True-Client-IP: 192.0.2.9"} {
			if got, want := remaining(direct, claim), fmt.Sprint(99-4*i-j); got != want {
				t.Errorf("direct, %s: %s left, want %s", claim, got, want)
			}
		}
	}
	for _, step := range []struct {
		headers string
		left    string
	}{
		{"X-Forwarded-For: 192.0.2.1", "99"},
		{"X-Forwarded-For: 192.0.2.1", "98"},
		{"X-Forwarded-For: 198.51.100.9, 192.0.2.1", "97"},                  // what the caller wrote is to the left
		{"X-Forwarded-For: 198.51.100.9\nX-Forwarded-For: 192.0.2.1", "96"}, // all lines are one list
		{"X-Forwarded-For: 192.0.2.1, 10.0.0.1, 10.2.3.4", "95"},            // past the trusted
		{"X-Forwarded-For: ::ffff:192.0.2.1", "94"},
		{"X-Forwarded-For: 192.0.2.1\nX-Forwarded-For: 10.0.0.1", "93"},
		{"X-Forwarded-For: 192.0.2.2", "99"},
		{"X-Forwarded-For: 2001:db8:1:2::1", "99"},
		{"X-Forwarded-For: 2001:db8:1:2:ffff::1", "98"}, // of one /64
		{"X-Forwarded-For: 2001:db8:1:3::1", "99"},
		{"X-Real-IP: 192.0.2.2", "99"}, // the proxy itself
		{"Forwarded: for=192.0.2.2", "98"},
		{"X-Forwarded-For: unknown", "97"},
		{"X-Forwarded-For: 192.0.2.77, nonsense", "96"},
		{"X-Forwarded-For: 192.0.2.77, ", "95"},
		{"X-Forwarded-For: 192.0.2.77, x, 10.9.9.9", "99"}, // the last good one
		{"X-Forwarded-For: 10.9.9.9", "98"},                // all are trusted
	} {
		if got := remaining(proxied, step.headers); got != step.left {
			t.Errorf("%s: %s left, want %s", step.headers, got, step.left)
		}
	}
}

// With Redis the ceilings hold across replicas.
func TestCeilingsAcrossReplicas(t *testing.T) {
	t.Parallel()
	redis := dbtest.Redis(t)
	eachPair(t, func(t *testing.T, first, second service) {
		key := first.Key(t, first.workspace, viewer.Read)
		for i := range 4 {
			s := []service{first, second}[i%2]
			r := s.anonymous.Do("GET", "/tasks", nil, "Authorization", "Bearer "+key.Token)
			if r.Status != 200 || !strings.HasPrefix(r.Header.Get("RateLimit"), fmt.Sprintf(`"key";r=%d;`, 3-i)) {
				t.Errorf("%d: %d %v", i, r.Status, r.Header)
			}
		}
		for _, s := range []service{first, second} {
			want429(t, "on either", s.anonymous.Do("GET", "/tasks", nil, "Authorization", "Bearer "+key.Token), 4, "API key")
		}
	}, ceilings(4, 0), func(o *server.Options) { o.CeilingStore = redis })
}

// What either ceiling refuses, of many requests at once, leaves the key all that
// was not accepted.
func TestRefusedTogether(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		var all sync.WaitGroup
		var accepted atomic.Int32
		for range 150 {
			all.Go(func() {
				if s.write.Do("GET", "/tasks", nil, "X-Forwarded-For", "192.0.2.1").Status == 200 {
					accepted.Add(1)
				}
			})
		}
		all.Wait()
		for range 20 {
			if s.write.Do("GET", "/tasks", nil, "X-Forwarded-For", "192.0.2.2").Status == 200 {
				accepted.Add(1)
			}
		}
		if n := accepted.Load(); n != 60 {
			t.Errorf("%d accepted, want the key's 60", n)
		}
	}, ceilings(60, 50), behindProxy)
}

package replicas

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"records/internal/dbtest"
)

// Behind the proxy a ceiling is one for all replicas: of many requests at once exactly
// as many pass, whoever answers them and whatever they claim to come from.
func TestCeilingsBehindAProxy(t *testing.T) {
	t.Parallel()
	const perKey, perIP, many = 60, 40, 120
	f := newFleet(t, migrated(t), "RATELIMIT_STORE", dbtest.Redis(t), "RATELIMIT_PER_KEY", fmt.Sprint(perKey), "RATELIMIT_PER_IP", fmt.Sprint(perIP))
	all := []*replica{f.serve(t, binary, ""), f.serve(t, binary, ""), f.serve(t, binary, "")}
	p := newProxy(t, all...)
	workspace := f.workspace(t)
	keys := func(n int) (all []string) {
		for range n {
			_, token := f.key(t, workspace, "read")
			all = append(all, token)
		}
		return all
	}
	// The proxy trusts nobody, and the replicas the proxy's address alone, which is
	// 127.0.0.1: a client of that address stands for another proxy of ours before it.
	passed := func(tokens, from []string, headers func(i int) []string) int {
		var clients []*client
		for i, address := range from {
			clients = append(clients, p.at("", p.transport(t, address, i%2 == 0)))
		}
		var passed atomic.Int64
		var group errgroup.Group
		group.SetLimit(16) // a machine at work elsewhere keeps more waiting for longer than a replica waits for Redis
		for i := range many {
			c := *clients[i%len(clients)]
			c.token = tokens[i%len(tokens)]
			group.Go(func() error {
				a, err := c.do("GET", "/tasks", "", headers(i)...)
				switch {
				case err != nil || a.status != 200 && a.status != 429:
					t.Errorf("answered %d %s, %v", a.status, a.body, err)
				case a.status == 429 && (a.header.Get("Retry-After") == "" || !strings.Contains(a.body, `"rate_limited"`)):
					t.Errorf("429 %v %s", a.header, a.body)
				case a.status == 200:
					passed.Add(1)
				}
				return nil
			})
		}
		_ = group.Wait()
		return int(passed.Load())
	}
	plain := func(int) []string { return nil }
	spoofed := func(i int) []string {
		address := fmt.Sprintf("192.0.2.%d", i)
		return [][]string{
			{"X-Forwarded-For", address}, {"X-Forwarded-For", address + ", 127.0.0.1"}, {"X-Forwarded-For", address + ", "}, {"X-Forwarded-For", "nonsense"},
			{"X-Real-IP", address}, {"Forwarded", "for=" + address}, {"X_Forwarded_For", address}, {"Connection", "X-Forwarded-For", "X-Forwarded-For", address},
		}[i%8]
	}
	for _, c := range []struct {
		what         string
		tokens, from []string
		headers      func(i int) []string
		want         int
	}{
		{"an address, by many keys", keys(10), []string{"127.0.0.2"}, plain, perIP},
		{"an address that claims others", keys(10), []string{"127.0.0.3", "127.0.0.3"}, spoofed, perIP},
		{"a key, from many addresses", keys(1), []string{"127.0.0.4", "127.0.0.5", "127.0.0.6", "127.0.0.7", "127.0.0.8"}, plain, perKey},
		{"a /64 of IPv6, from many addresses of it", keys(10), []string{"127.0.0.1"}, func(i int) []string {
			return []string{"X-Forwarded-For", fmt.Sprintf("2001:db8:7:1:%x::%x", i, i)}
		}, perIP},
		{"addresses of many /64s", keys(10), []string{"127.0.0.1"}, func(i int) []string {
			return []string{"X-Forwarded-For", fmt.Sprintf("2001:db8:8:%x::1", i)}
		}, many},
	} {
		if got := passed(c.tokens, c.from, c.headers); got != c.want {
			t.Errorf("%s: %d of %d passed, want %d", c.what, got, many, c.want)
		}
	}

	// Past the proxy, a replica believes nobody what it claims.
	direct := all[0].at(keys(1)[0])
	direct.transport = p.transport(t, "127.0.0.2", false)
	for i := range 3 {
		if a, err := direct.do("GET", "/tasks", "", "X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i)); err != nil || a.status != 429 {
			t.Errorf("past the proxy: %d %s, %v", a.status, a.body, err)
		}
	}
}

package replicas

import (
	"testing"

	"records/internal/dbtest"
)

// drain is the drain delay of replicas behind the script: more than a look at each
// and a reload take on a machine that does other things too.
const drain = "4s"

// callers are clients of the proxy, every other one by HTTP/2.
func callers(t *testing.T, p *proxy, n int, token string) (all []*client) {
	t.Helper()
	for i := range n {
		all = append(all, p.at(token, p.transport(t, "", i%2 == 0)))
	}
	return all
}

// Replicas that are replaced one after the other, behind a proxy that looks at
// readiness, cost no client a request.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	f := newFleet(t, migrated(t), "RATELIMIT_STORE", dbtest.Redis(t), "SERVER_DRAIN_DELAY", drain)
	var all []*replica
	var addresses []string
	for range 3 {
		r := f.serve(t, binary, "")
		all, addresses = append(all, r), append(addresses, r.address)
	}
	p := newProxy(t, all...)
	p.watch(t, addresses...)
	l := begin(t, callers(t, p, 6, f.writer(t))...)
	for i, r := range all {
		until(t, "nginx knows of all replicas", func() bool { return p.lists(len(all)) })
		r.stop(t)
		if !p.lists(len(all) - 1) {
			t.Error("the replica has ended, and nginx sends requests to it")
		}
		all[i] = f.serve(t, binary, r.address)
	}
	l.check(t, f)
}

package main_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"

	"records/internal/dbtest"
)

// What is waited for; on a quiet machine it takes a part of it.
const (
	backWithin   = 10 * time.Second // from the promotion; five are promised
	answerWithin = 15 * time.Second // ten are promised
)

// The primary goes away in one way after the other, its synchronous standby is
// promoted each time, and one and the same program goes on: in between there are
// answers or 503, what was acknowledged is there, and nothing goes to the server that
// was the primary before, whether it comes back as a standby or as if it had never been
// away.
func TestFailover(t *testing.T) {
	t.Parallel()
	a := dbtest.NewCluster(t)
	b := dbtest.NewStandby(t, a)
	p := newProgram(t, "postgres://postgres@"+hostOf(a)+","+hostOf(b)+"/postgres?sslmode=disable&target_session_attrs=read-write")
	p.set("RATELIMIT_PER_KEY", "0")
	p.set("RATELIMIT_PER_IP", "0")
	p.ok("migrate", "up")
	f := newFailover(t, p)

	f.replace("stopped", a, b, func() { a.Stop(t, syscall.SIGINT) })
	a.Follow(t, b) // as a standby of the one that took its place
	f.untouched(a, time.Time{})

	f.replace("killed", b, a, func() { b.Stop(t, syscall.SIGKILL) })
	b.Start(t) // by mistake: nothing has told it that it is the primary no more
	f.untouched(b, time.Time{})
	b.Stop(t, syscall.SIGINT)
	b.Follow(t, a)

	f.replace("frozen", a, b, func() { a.Freeze(t) })
	thawed := time.Now()
	a.Thaw() // what it was asked before waits there for a standby, for ever
	f.untouched(a, thawed)

	f.end()
	if log := f.server.log.String(); strings.Contains(log, "status=500") {
		t.Errorf("the log has %s", log)
	}
	f.server.stop()
	p.ok("doctor")
}

// hostOf is HOST:PORT.
func hostOf(c *dbtest.Cluster) string {
	_, host, _ := strings.Cut(strings.TrimPrefix(c.URL, "postgres://"), "@")
	host, _, _ = strings.Cut(host, "/")
	return host
}

// replace takes the primary away, promotes the standby, and waits until all is well.
func (f *failover) replace(how string, primary, standby *dbtest.Cluster, takeAway func()) {
	f.t.Helper()
	time.Sleep(500 * time.Millisecond)
	revoked := f.program.key("Failover", "read")
	f.server.status(http.StatusOK, "GET", "/api/v1/tasks", revoked.Token, "")
	f.program.ok("key", "revoke", revoked.ID) // acknowledged, so the standby has it
	takeAway()
	time.Sleep(1500 * time.Millisecond)
	f.unavailable.Store(0)
	promoted := time.Now()
	standby.Promote(f.t)
	took := time.Since(promoted)
	f.back(how, promoted)
	f.server.status(http.StatusUnauthorized, "GET", "/api/v1/tasks", revoked.Token, "")
	if !strings.Contains(f.server.log.String(), "another host now\" host="+hostOf(standby)) {
		f.t.Errorf("%s: the log does not tell where the primary is", how)
	}
	if n := standby.Clients(f.t, time.Time{}); n == 0 {
		f.t.Errorf("%s: the new primary has no connection", how)
	}
	f.t.Logf("%s: promoting took %s", how, took.Round(time.Millisecond))
	f.check(how)
}

// untouched watches a server that nothing may go to any more.
func (f *failover) untouched(before *dbtest.Cluster, since time.Time) {
	f.t.Helper()
	for began := time.Now(); before.Clients(f.t, since) > 0; time.Sleep(50 * time.Millisecond) { // they were closed, which it learns now
		if time.Since(began) > answerWithin {
			f.t.Fatal("connections to the server before stay")
		}
	}
	for range 10 {
		time.Sleep(100 * time.Millisecond)
		if n := before.Clients(f.t, since); n > 0 {
			f.t.Errorf("%d connections to the server before", n)
		}
	}
}

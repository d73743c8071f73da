package replicas

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent/rule"
	"records/internal/apikey"
	"records/internal/dbtest"
	"records/internal/viewer"
)

// promise is how long after a key was changed a replica may go by what it was.
const promise = time.Second

// watched is a replica whose way to the database can be broken, and what was seen of it.
type watched struct {
	*replica
	way *dbtest.Proxy
}

// change is a kind of change, and how a write with the key is answered before and after.
type change struct {
	name          string
	before, after int
	scope         viewer.Scope // at first
	do            func(f *fleet, t *testing.T, id uuid.UUID) error
}

var kinds = []change{
	{"may only read", 200, 403, viewer.Write, func(f *fleet, t *testing.T, id uuid.UUID) error {
		return apikey.SetScope(rule.AsOperator(t.Context()), f.client, id, viewer.Read)
	}},
	{"may write", 403, 200, viewer.Read, func(f *fleet, t *testing.T, id uuid.UUID) error {
		return apikey.SetScope(rule.AsOperator(t.Context()), f.client, id, viewer.Write)
	}},
	{"revoked", 200, 401, viewer.Write, func(f *fleet, t *testing.T, id uuid.UUID) error {
		return apikey.Revoke(rule.AsOperator(t.Context()), f.client, id)
	}},
}

// troubles are what happens to a replica's connections around a change. While the
// database is away the answer may be 503, and never what the key was before.
var troubles = []struct {
	name string
	do   func(way *dbtest.Proxy, changed <-chan struct{})
}{
	{"none", func(*dbtest.Proxy, <-chan struct{}) {}},
	{"cut before", func(way *dbtest.Proxy, _ <-chan struct{}) { breakOff(way, 0) }},
	{"cut after", func(way *dbtest.Proxy, changed <-chan struct{}) { <-changed; breakOff(way, 0) }},
	{"away for a while", func(way *dbtest.Proxy, _ <-chan struct{}) { breakOff(way, 200*time.Millisecond+rand.N(time.Second)) }},
	{"silent for a while", func(way *dbtest.Proxy, _ <-chan struct{}) {
		way.Freeze()
		time.Sleep(200*time.Millisecond + rand.N(time.Second))
		way.Restore()
	}},
}

// breakOff cuts every connection, and refuses new ones for a while.
func breakOff(way *dbtest.Proxy, long time.Duration) {
	way.Refuse()
	time.Sleep(long)
	way.Restore()
}

// A key that was revoked or given another scope is refused, or has the other scope, on
// every replica within a second: whether the replicas' connections to the database
// stand, were just cut, or are away. Once a replica has refused a key it goes on.
func TestKeyChangesHoldOnEveryReplica(t *testing.T) {
	t.Parallel()
	f := newFleet(t, migrated(t), "SERVER_REQUEST_TIMEOUT", "2s")
	var all []*watched
	for range 3 {
		way := dbtest.NewProxy(t, f.url)
		all = append(all, &watched{f.serve(t, binary, "", "DATABASE_URL", way.URL()), way})
	}
	workspace := f.workspace(t)
	took := map[string][]time.Duration{}
	var revoked []string
	for n := range *changes {
		kind, trouble := kinds[n%len(kinds)], troubles[n/len(kinds)%len(troubles)]
		id, token := f.key(t, workspace, kind.scope)
		settle(t, all, token, kind.before)
		for used := rand.N(promise); used > 0; used -= 10 * time.Millisecond { // a key that is new to them, or known for long
			settle(t, all, token, kind.before)
			time.Sleep(10 * time.Millisecond)
		}
		changed := make(chan struct{})
		for _, r := range all {
			go trouble.do(r.way, changed)
		}
		if err := kind.do(f, t, id); err != nil {
			t.Fatal(err)
		}
		at := time.Now()
		close(changed)
		latest := make(chan time.Duration, len(all))
		for _, r := range all {
			go func() { latest <- r.follow(t, token, at, kind, trouble.name) }()
		}
		for range all {
			took[trouble.name] = append(took[trouble.name], <-latest)
		}
		if kind.after == 401 {
			revoked = append(revoked, token)
		}
		if len(revoked) > 0 { // an earlier one, by chance
			settle(t, all, revoked[rand.IntN(len(revoked))], 401)
		}
	}
	for _, trouble := range troubles {
		if all := took[trouble.name]; len(all) > 0 {
			slices.Sort(all)
			t.Logf("connections %-20s %5d times on a replica: half within %s, all within %s", trouble.name+":", len(all), all[len(all)/2].Round(time.Millisecond), all[len(all)-1].Round(time.Millisecond))
		}
	}
}

// write is how the replica answers a write with a key; 0 is no answer.
func (r *watched) write(token string) int {
	a, err := r.at(token).do("DELETE", "/tasks/none", "")
	if err != nil {
		return 0
	}
	return a.status
}

// settle waits until every replica answers a key's write so.
func settle(t *testing.T, all []*watched, token string, status int) {
	t.Helper()
	for _, r := range all {
		until(t, "a replica knows the key", func() bool {
			got := r.write(token)
			if status == 401 && got != 401 && got != 503 {
				t.Fatalf("a key that was revoked is answered %d", got)
			}
			return got == status
		})
	}
}

// follow asks a replica from the moment of the change until a while after the promise
// is due, and returns how long after the change the last request came in that was
// answered as before it.
func (r *watched) follow(t *testing.T, token string, changed time.Time, kind change, trouble string) (last time.Duration) {
	turned := false
	for {
		asked := time.Since(changed)
		switch got := r.write(token); {
		case got == kind.after:
			if turned && asked > last+promise/4 || asked > promise {
				return last
			}
			turned = true
		case got == kind.before && turned && kind.after == 401:
			t.Errorf("%s, connections %s: answered %d after it was refused", kind.name, trouble, got)
			return asked
		case got == kind.before && asked > promise:
			t.Errorf("%s, connections %s: answered %d, %s after the change", kind.name, trouble, got, asked)
			return asked
		case got == kind.before:
			last = asked
		case got == 503 && trouble != "none": // which may last as long as the trouble
			if asked > startWait {
				t.Errorf("%s, connections %s: still 503", kind.name, trouble)
				return last
			}
		default:
			t.Errorf("%s, connections %s: answered %d", kind.name, trouble, got)
			return last
		}
		time.Sleep(time.Millisecond)
	}
}

package prove

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"records/internal/hostile"
)

// worker acts in workspaces of its own, and against those of all others.
type worker struct {
	*world
	*rand.Rand
	number int
	own    []*space
	sent   int
	recent []string // what it did last
}

// remembered is how much of what a worker did last is told when something is wrong.
const remembered = 12

func (k *worker) note(format string, args ...any) {
	if k.recent = append(k.recent, fmt.Sprintf(format, args...)); len(k.recent) > remembered {
		k.recent = k.recent[1:]
	}
}

// step is one random thing to do.
func (k *worker) step() error {
	s := pick(k, k.own)
	switch n := k.IntN(1000); {
	case n < 8:
		return k.changeKey(s)
	case n < 22:
		return k.bringIn(s, pick(k, k.all))
	case n < 40:
		return k.abandon(k.something())
	case n < 50:
		return k.race(s)
	case n < 350:
		asks := make([]*ask, 2+k.IntN(5))
		for i := range asks {
			asks[i] = k.something()
		}
		return k.run(asks...)
	}
	return k.run(k.something())
}

// run sends requests over one connection and judges the answers, in their order.
func (k *worker) run(asks ...*ask) error {
	for _, a := range asks {
		k.note("%s", a)
	}
	answers, err := k.exchange(asks...)
	if err != nil {
		return err
	}
	for i, a := range asks {
		k.done.Add(1)
		if err := k.judge(a, answers[i]); err != nil {
			return err
		}
	}
	return nil
}

// something is one random request by one of the worker's keys, or by none.
func (k *worker) something() *ask {
	s, r := pick(k, k.own), pick(k, k.all)
	a := k.ordinary(s, r)
	switch k.IntN(30) {
	case 0:
		a = k.nowhere(s, r)
	case 1:
		k.withoutKey(a)
	}
	if a.method == http.MethodGet && k.IntN(6) == 0 {
		a.method = http.MethodHead
	}
	if k.IntN(2) == 0 {
		a.headers = append(a.headers, "Accept-Encoding", "gzip")
	}
	if k.IntN(10) == 0 { // nothing but the key chooses a workspace
		name := pick(k, []string{"X-Workspace-Id", "X-Tenant-Id", "X-Original-Url", "X-Http-Method-Override", "Cookie", "X-Api-Key", "Idempotency-Key", "If-None-Match"})
		a.headers = append(a.headers, name, pick(k, []string{k.other().id.String(), k.foreign(r.spec.Plural), "DELETE"}))
	}
	k.sent++
	return a
}

// ordinary is one of the operations on a resource.
func (k *worker) ordinary(s *space, r resource) *ask {
	plural := r.spec.Plural
	switch n := k.IntN(92); {
	case n < 25 && len(s.oracle.records[plural]) < s.most:
		return k.create(s, r)
	case n < 50:
		return k.update(s, r, k.someID(s, plural))
	case n < 65:
		return k.remove(s, r, k.someID(s, plural))
	case n < 82:
		return k.get(s, r, k.someID(s, plural))
	}
	return k.list(s, r)
}

// by is a request by one of the keys of a workspace. The body is nil for none.
func (k *worker) by(s *space, method, path string, body []byte) *ask {
	one := k.someKey(s)
	return &ask{space: s, key: one, token: one.token, method: method, path: path, body: body}
}

// someID is most often an id of the workspace's own, else another's, of another
// resource, one that is gone, or one that never was.
func (k *worker) someID(s *space, plural string) string {
	ids := s.oracle.ids(plural)
	switch n := k.IntN(20); {
	case n < 5:
		return k.foreign(plural)
	case n == 5:
		return k.foreign(pick(k, k.all).spec.Plural)
	case n == 6:
		ids = s.oracle.gone[plural]
	case n == 7 && k.IntN(2) == 0:
		ids = nil
	}
	if len(ids) == 0 {
		return uuid.Must(uuid.NewV7()).String()
	}
	return pick(k, ids)
}

// foreign is the id of a record, most likely of a workspace of another worker.
func (k *worker) foreign(plural string) string {
	if id := k.watch.some(plural, k.IntN); id != "" {
		return id
	}
	return uuid.Must(uuid.NewV7()).String()
}

// other is a workspace, most likely of another worker. Only what never changes of
// it may be looked at.
func (k *worker) other() *space { return pick(k, k.spaces) }

// form writes an id in one of the forms for a path. named is what it names then:
// the id, or nothing.
func (k *worker) form(id string) (path, named string) {
	form := "lower"
	if k.IntN(4) == 0 {
		form = pick(k, forms)
	}
	path = hostile.Forms[form](id)
	for _, good := range hostile.WellFormed {
		if form == good {
			return path, strings.ToLower(id)
		}
	}
	return path, ""
}

func pick[T any](k *worker, from []T) T { return from[k.IntN(len(from))] }

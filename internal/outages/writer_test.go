package outages

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"
)

const (
	pause    = 8 * time.Millisecond // of a writer, so that others on the machine go on
	mostEach = 40                   // records of a writer, about
)

// mark begins every text that is written, so that a proxy knows a statement with one.
const mark = "oz7"

// resource is one of those that are written, with the fields for the marker and for
// the value that changes.
type resource struct{ plural, marker, value string }

var resources = []resource{
	{"tasks", "name", "status"},
	{"projects", "name", "status"},
	{"deals", "title", "stage"},
	{"contacts", "name", "phone"},
	{"companies", "name", "industry"},
}

// tasks are what is locked, projects what is slow in an overload; deals have no part in
// either.
var tasks, projects, deals = resources[0], resources[1], resources[2]

// writer asks for one thing after the other. Records of its own nobody else writes to.
type writer struct {
	*world
	*rand.Rand // hides the world's
	number     int
	space      space
	made       int      // for markers and values that are never used again
	mine       []*entry // what is there for certain
}

func (w *world) newWriter(chosen uint64, number int) *writer {
	return &writer{world: w, Rand: rand.New(rand.NewPCG(chosen, uint64(number)+1)), number: number, space: w.spaces[number%spaces]}
}

func (k *writer) work() {
	for !k.over.Load() && !k.t.Failed() {
		k.quiet.RLock()
		status := k.step()
		k.quiet.RUnlock()
		k.rest(status)
	}
}

// read lists one thing after the other, also while nothing can be written.
func (k *writer) read() {
	for !k.over.Load() && !k.t.Failed() {
		k.quiet.RLock()
		status := k.list(resources[k.IntN(len(resources))])
		k.quiet.RUnlock()
		k.rest(status)
	}
}

// rest waits before the next request, and for longer if nobody could answer.
func (k *writer) rest(status int) {
	wait := pause
	if status == 0 || status == http.StatusServiceUnavailable {
		wait *= 3
	}
	time.Sleep(wait/2 + rand.N(wait))
}

// step asks for something, and returns the status of the answer.
func (k *writer) step() int {
	n := k.IntN(100)
	switch {
	case len(k.mine) < 5 || n < 25 && len(k.mine) < mostEach:
		return k.create(resources[k.IntN(len(resources))])
	case n < 50:
		return k.update(k.mine[k.IntN(len(k.mine))])
	case n < 70 || len(k.mine) > 2*mostEach:
		return k.remove(k.mine[k.IntN(len(k.mine))])
	case n < 90:
		return k.get(k.mine[k.IntN(len(k.mine))])
	}
	return k.list(resources[k.IntN(len(resources))])
}

// text is one that was never written before.
func (k *writer) text(kind string) string {
	k.made++
	return fmt.Sprintf("%s-%d-%s%d", mark, k.number, kind, k.made)
}

func (k *writer) create(r resource) int {
	e := &entry{owner: k, resource: r, marker: k.text("m"), values: []string{k.text("v")}}
	a := k.createFor(k.client, k.space, e)
	if a.outcome == acknowledged {
		k.mine = append(k.mine, e)
	}
	return a.status
}

// createFor creates what an entry says, and takes it up.
func (w *world) createFor(client *http.Client, s space, e *entry) answer {
	body := fmt.Sprintf(`{%q:%q,%q:%q}`, e.resource.marker, e.marker, e.resource.value, e.values[0])
	a := w.ask(client, s.token, "POST", "/"+e.resource.plural, body)
	switch a.outcome {
	case acknowledged:
		var made struct{ ID string }
		if json.Unmarshal(a.body, &made) != nil || made.ID == "" {
			w.t.Errorf("a create answered %s", a.body)
		}
		e.id = made.ID
	case refused:
		w.ledger.drop(e, "its create was refused")
		return a
	case unknown:
		e.mayBeAbsent = true
	}
	w.ledger.keep(e)
	return a
}

func (k *writer) update(e *entry) int {
	value := k.text("v")
	a := k.ask(k.client, k.space.token, "PATCH", e.path(), fmt.Sprintf(`{%q:%q}`, e.resource.value, value))
	switch a.outcome {
	case acknowledged:
		e.values = []string{value}
	case unknown:
		e.values = append(e.values, value)
		k.setAside(e)
	}
	return a.status
}

func (k *writer) remove(e *entry) int {
	a := k.ask(k.client, k.space.token, "DELETE", e.path(), "")
	switch a.outcome {
	case acknowledged:
		if want := fmt.Sprintf(`{"id":%q,"deleted":true}`, e.id); string(a.body) != want {
			k.t.Errorf("the delete of a record that was there answered %s", a.body)
		}
		k.setAside(e)
		k.ledger.drop(e, "it was deleted")
	case unknown:
		e.mayBeAbsent = true
		k.setAside(e)
	}
	return a.status
}

// get reads a record, which must be as it was last written.
func (k *writer) get(e *entry) int {
	a := k.ask(k.client, k.space.token, "GET", e.path(), "")
	if a.outcome == acknowledged {
		if got, err := e.resource.parse(a.body); err != nil || got.marker != e.marker || got.value != e.values[0] {
			k.t.Errorf("a get answered %s, %v; want %s with %s", a.body, err, e.marker, e.values[0])
		}
	}
	return a.status
}

// list reads a page, whose count must be that of its records as long as it is the
// only one.
func (k *writer) list(r resource) int {
	a := k.ask(k.client, k.space.token, "GET", fmt.Sprintf("/%s?limit=%d", r.plural, pageSize), "")
	if a.outcome == acknowledged {
		page, err := r.parsePage(a.body)
		if err != nil || len(page.rows) != min(page.count, pageSize) {
			k.t.Errorf("a list of %d records says that there are %d: %v", len(page.rows), page.count, err)
		}
	}
	return a.status
}

// roundTrip makes, reads and deletes a record. It reports whether all went well.
func (k *writer) roundTrip(r resource) bool {
	if k.create(r) != http.StatusCreated {
		return false
	}
	e := k.mine[len(k.mine)-1]
	return k.get(e) == http.StatusOK && k.remove(e) == http.StatusOK
}

// setAside leaves a record alone until it is known what became of it.
func (k *writer) setAside(e *entry) {
	k.mine = slices.DeleteFunc(k.mine, func(one *entry) bool { return one == e })
}

// someID is the id of a record of the writers.
func (w *world) someID() string {
	w.ledger.mu.Lock()
	defer w.ledger.mu.Unlock()
	for _, e := range w.ledger.records {
		if e.id != "" {
			return e.id
		}
	}
	return mark + "-none"
}

func (e *entry) path() string { return "/" + e.resource.plural + "/" + e.id }

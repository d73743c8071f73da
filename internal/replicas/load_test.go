package replicas

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// load is what clients do for as long as a test needs it, and what they were told:
// every record that they made is to be there once, and none that they deleted.
type load struct {
	mu       sync.Mutex
	stop     bool
	there    map[string]string // the ids of the records by their names, which no two share
	gone     []string          // the ids of those that were deleted
	requests int
	slowest  answer
	faults   []string

	workers sync.WaitGroup
}

// pause is what a client takes between two requests: tests are to show what fails,
// not how much the machine can do.
const pause = 3 * time.Millisecond

// begin lets clients work: each creates, reads, changes, lists and deletes, and wants
// each request to succeed.
func begin(t *testing.T, clients ...*client) *load {
	t.Helper()
	l := &load{there: map[string]string{}}
	for i, c := range clients {
		l.workers.Go(func() { l.work(c, fmt.Sprintf("worker %d", i)) })
	}
	t.Cleanup(func() { l.halt() })
	return l
}

// halt lets the clients finish what they are at.
func (l *load) halt() {
	l.mu.Lock()
	l.stop = true
	l.mu.Unlock()
	l.workers.Wait()
}

func (l *load) halted() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stop
}

// work goes on until the load is halted. The worker alone knows its records.
func (l *load) work(c *client, worker string) {
	type record struct{ id, name string }
	var own []record
	for n := 0; !l.halted(); n++ {
		time.Sleep(pause)
		name := fmt.Sprintf("%s, record %d", worker, n)
		if len(own) == 0 || n%4 == 0 {
			if id := l.create(c, name); id != "" {
				own = append(own, record{id, name})
			}
			continue
		}
		i := rand.IntN(len(own))
		path := "/tasks/" + own[i].id
		switch n % 4 {
		case 1:
			l.ask(c, "GET", path, "", 200)
		case 2:
			l.ask(c, "PATCH", path, fmt.Sprintf(`{"status":"change %d"}`, n), 200)
		case 3:
			if n%8 == 3 {
				l.ask(c, "GET", "/tasks?limit=20", "", 200)
			} else if l.remove(c, own[i].name, own[i].id) {
				own = slices.Delete(own, i, i+1)
			}
		}
	}
}

func (l *load) create(c *client, name string) (id string) {
	a, ok := l.ask(c, "POST", "/tasks", fmt.Sprintf(`{"name":%q}`, name), 201)
	var made struct{ ID string }
	if !ok || json.Unmarshal([]byte(a.body), &made) != nil {
		return ""
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.there[name] = made.ID
	return made.ID
}

func (l *load) remove(c *client, name, id string) bool {
	a, ok := l.ask(c, "DELETE", "/tasks/"+id, "", 200)
	l.mu.Lock()
	defer l.mu.Unlock()
	if ok && !strings.Contains(a.body, `"deleted":true`) {
		l.faults = append(l.faults, "a delete of what was there: "+a.body)
	}
	if ok {
		delete(l.there, name)
		l.gone = append(l.gone, id)
	}
	return ok
}

// ask sends a request that must be answered with a status.
func (l *load) ask(c *client, method, path, body string, want int) (answer, bool) {
	a, err := c.do(method, path, body)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
	if a.took > l.slowest.took {
		l.slowest = a
		l.slowest.body = method + " " + path
	}
	if err != nil || a.status != want {
		l.faults = append(l.faults, fmt.Sprintf("%s %s %s: %d %s, %v", time.Now().Format(time.StampMilli), method, path, a.status, a.body[:min(200, len(a.body))], err))
		return a, false
	}
	return a, true
}

// restart forgets how slow the slowest request was, and returns it.
func (l *load) restart() (slowest answer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	slowest, l.slowest = l.slowest, answer{}
	return slowest
}

// check halts the load and wants every request to have succeeded, and the database
// to hold what the clients were told.
func (l *load) check(t *testing.T, f *fleet) {
	t.Helper()
	l.halt()
	if len(l.faults) > 0 {
		t.Errorf("%d of %d requests failed:\n%s", len(l.faults), l.requests, strings.Join(l.faults[:min(10, len(l.faults))], "\n"))
	}
	found := map[string]string{}
	rows, err := f.db.SQL().QueryContext(t.Context(), "SELECT name, id FROM tasks WHERE name LIKE 'worker %'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name, id string
		if err := rows.Scan(&name, &id); err != nil {
			t.Fatal(err)
		}
		if before, twice := found[name]; twice {
			t.Errorf("%s is there as %s and as %s", name, before, id)
		}
		found[name] = id
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	for name, id := range l.there {
		if found[name] != id {
			t.Errorf("%s was made as %s, and is there as %q", name, id, found[name])
		}
	}
	for name, id := range found {
		if l.there[name] != id {
			t.Errorf("%s is there as %s, and nobody was told so", name, id)
		}
	}
	t.Logf("%d requests, %d records made and %d of them deleted", l.requests, len(l.there)+len(l.gone), len(l.gone))
}

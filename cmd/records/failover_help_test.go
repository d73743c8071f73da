package main_test

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// failover is a server in use, and what its clients know of its records.
type failover struct {
	t       *testing.T
	program *program
	server  *served
	token   string
	client  *http.Client

	over        atomic.Bool
	working     sync.WaitGroup
	quiet       sync.RWMutex // held by writers while they ask
	unavailable atomic.Int64 // when the last 503 came, in nanoseconds since 1970
	good        atomic.Int64 // when the last other answer came
	slowest     atomic.Int64

	mu    sync.Mutex
	notes map[string]*note
	made  int
}

// note is what is known of a task, by its name.
type note struct {
	id       string   // "" where its create was not answered
	statuses []string // the last that was acknowledged, and those that may have come after it
	doubtful bool     // it may be there or not
	gone     bool
}

func newFailover(t *testing.T, p *program) *failover {
	t.Helper()
	f := &failover{t: t, program: p, token: p.key("Failover", "write").Token, notes: map[string]*note{},
		client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}, Timeout: time.Minute}}
	f.server = p.serve("--log.level", "warn")
	for range 8 {
		f.working.Go(f.write)
	}
	return f
}

// write makes, changes, reads and removes tasks that nobody else touches.
func (f *failover) write() {
	for !f.over.Load() && !f.t.Failed() {
		f.quiet.RLock()
		f.one()
		f.quiet.RUnlock()
		time.Sleep(rand.N(20 * time.Millisecond))
	}
}

func (f *failover) one() {
	f.mu.Lock()
	f.made++
	name, n := fmt.Sprint("task ", f.made), &note{statuses: []string{"new"}}
	f.notes[name] = n
	f.mu.Unlock()

	status, body := f.ask("POST", "", `{"name":"`+name+`","status":"new"}`)
	if status != http.StatusCreated {
		n.doubtful, n.gone = maybe(body), !maybe(body)
		return
	}
	n.id = field(f.t, body, "id")
	if status, body := f.ask("PATCH", "/"+n.id, `{"status":"changed"}`); status == http.StatusOK {
		n.statuses = []string{"changed"}
	} else if maybe(body) {
		n.statuses = append(n.statuses, "changed")
	}
	if status, body := f.ask("GET", "/"+n.id, ""); status == http.StatusOK && !slices.Contains(n.statuses, field(f.t, body, "status")) {
		f.t.Errorf("%s is read as %s, and was written as %s", name, body, n.statuses)
	}
	if rand.N(2) == 0 {
		return
	}
	if status, body := f.ask("DELETE", "/"+n.id, ""); status == http.StatusOK {
		n.gone = true
		if !strings.Contains(body, `"deleted":true`) {
			f.t.Errorf("the delete of %s is answered %s", name, body)
		}
	} else if maybe(body) {
		n.doubtful = true
	}
}

// ask sends a request, of which success, or 503 with Retry-After in time, may come.
func (f *failover) ask(method, path, body string) (status int, answer string) {
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.server.address+"/api/v1/tasks"+path, strings.NewReader(body))
	if err != nil {
		f.t.Error(err)
		return 0, ""
	}
	r.Header.Set("Authorization", "Bearer "+f.token)
	r.Header.Set("Content-Type", "application/json")
	began := time.Now()
	res, err := f.client.Do(r)
	if err != nil {
		f.t.Errorf("%s %s: %v", method, path, err)
		return 0, ""
	}
	defer res.Body.Close()
	got, err := io.ReadAll(res.Body)
	took := time.Since(began)
	f.slowest.Store(max(f.slowest.Load(), int64(took)))
	switch {
	case err != nil || took > answerWithin:
		f.t.Errorf("%s %s: answered after %s, %v", method, path, took, err)
	case res.StatusCode == http.StatusServiceUnavailable && res.Header.Get("Retry-After") != "":
		f.unavailable.Store(time.Now().UnixNano())
	case res.StatusCode/100 == 2:
		f.good.Store(time.Now().UnixNano())
	default:
		f.t.Errorf("%s %s: %d %s, Retry-After %q", method, path, res.StatusCode, got, res.Header.Get("Retry-After"))
	}
	return res.StatusCode, string(got)
}

// maybe reports whether an answer to a write leaves open whether it took effect.
func maybe(body string) bool { return strings.Contains(body, "may have taken effect") }

func field(t *testing.T, body, name string) string {
	var record map[string]any
	if err := json.Unmarshal([]byte(body), &record); err != nil {
		t.Errorf("%v: %s", err, body)
	}
	text, _ := record[name].(string)
	return text
}

// back waits for answers after a promotion, and until no 503 came for a second.
func (f *failover) back(how string, promoted time.Time) {
	f.t.Helper()
	var first time.Duration
	for first == 0 {
		if good := time.Unix(0, f.good.Load()); good.After(promoted) {
			first = good.Sub(promoted)
		}
		if time.Since(promoted) > backWithin {
			f.t.Fatalf("%s: no answers %s after the promotion: %s", how, backWithin, f.server.log.String())
		}
		time.Sleep(5 * time.Millisecond)
	}
	for time.Since(time.Unix(0, f.unavailable.Load())) < time.Second {
		if time.Since(promoted) > backWithin+time.Second {
			f.t.Fatalf("%s: still 503 %s after the promotion: %s", how, backWithin, f.server.log.String())
		}
		time.Sleep(5 * time.Millisecond)
	}
	last := time.Duration(0)
	if at := f.unavailable.Load(); at > 0 {
		last = time.Unix(0, at).Sub(promoted)
	}
	f.t.Logf("%s: the first answer came %s after the promotion began, the last 503 after %s; the slowest answer took %s", how,
		first.Round(time.Millisecond), last.Round(time.Millisecond), time.Duration(f.slowest.Swap(0)).Round(time.Millisecond))
}

// check holds what is listed against what the clients know, while nobody writes.
func (f *failover) check(how string) {
	f.t.Helper()
	f.quiet.Lock()
	defer f.quiet.Unlock()
	there := map[string]int{}
	for offset, count := 0, 1; offset < count; offset += 200 {
		status, body := f.ask("GET", fmt.Sprintf("?limit=200&offset=%d", offset), "")
		var page struct {
			Data  []struct{ ID, Name, Status string }
			Count int
		}
		if err := json.Unmarshal([]byte(body), &page); err != nil || status != http.StatusOK {
			f.t.Fatalf("%s: the list is %d %s", how, status, body)
		}
		if count = page.Count; len(page.Data) != min(200, count-offset) {
			f.t.Errorf("%s: %d are listed from %d on, of %d", how, len(page.Data), offset, count)
		}
		for _, task := range page.Data {
			there[task.Name]++
			n := f.notes[task.Name]
			if n == nil || n.gone || n.id != "" && n.id != task.ID || !slices.Contains(n.statuses, task.Status) {
				f.t.Errorf("%s: %+v is listed, and known is %+v", how, task, n)
			}
		}
	}
	doubtful := 0
	for name, n := range f.notes {
		if n.doubtful {
			doubtful++
		}
		if there[name] > 1 || there[name] == 0 && !n.gone && !n.doubtful {
			f.t.Errorf("%s: %s is listed %d times, and known is %+v", how, name, there[name], n)
		}
	}
	f.t.Logf("%s: %d tasks of %d are there, %d are in doubt", how, len(there), len(f.notes), doubtful)
}

// end stops the writers.
func (f *failover) end() {
	f.over.Store(true)
	f.working.Wait()
	f.check("the end")
}

package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/ent"
	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
)

const (
	workTakes = 50 * time.Millisecond
	loadLasts = 3 * time.Second
)

// slowly makes each operation on tasks take a while at the database, so that it is
// known how many a second there can be.
func slowly(s service) {
	s.Ent.Task.Use(func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			time.Sleep(workTakes)
			return next.Mutate(ctx, m)
		})
	})
	s.Ent.Task.Intercept(ent.InterceptFunc(func(next ent.Querier) ent.Querier {
		return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
			time.Sleep(workTakes)
			return next.Query(ctx, q)
		})
	}))
}

// Clients that send or read slowly hold no place, however many they are.
func TestSlowClientsHoldNoPlace(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		leave := slowClients(t, s, 50)
		defer leave()
		for range 10 {
			wantStatus(t, "create", s.write.Do("POST", "/tasks", `{"name":"a"}`), 201)
			wantStatus(t, "list", s.read.Do("GET", "/tasks?limit=1", nil), 200)
		}
		for name, g := range s.Server.Server.Stats().Gates {
			if g.InWork != 0 || g.Waiting != 0 || g.Full+g.Late != 0 {
				t.Errorf("%s: %+v", name, g)
			}
		}
	}, func(o *server.Options) { o.MaxWaiting, o.MaxWait = 0, 0 })
}

// slowClients connects clients that stop in the middle of a body, and others that ask
// for a large page and do not read it.
func slowClients(t *testing.T, s service, each int) (leave func()) {
	t.Helper()
	large := `{"name":"large","description":"` + strings.Repeat("x", 60_000) + `"}`
	for range 40 {
		wantStatus(t, "a large record", s.write.Do("POST", "/tasks", large), 201)
	}
	auth := "Host: a\r\nAuthorization: Bearer " + s.write.Token + "\r\n"
	var open []io.Closer
	for range each {
		writer, reader := dial(t, s), dial(t, s)
		open = append(open, writer, reader)
		_, _ = io.WriteString(writer, "POST /api/v1/tasks HTTP/1.1\r\n"+auth+"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
		_, _ = io.WriteString(reader, "GET /api/v1/tasks?limit=200 HTTP/1.1\r\n"+auth+"\r\n")
		// Its answer has begun when the database has done with it.
		if _, err := bufio.NewReaderSize(reader, 16).ReadByte(); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		for _, c := range open {
			_ = c.Close()
		}
	}
}

// Five times as many requests as the database can do, beside slow clients: those that
// are let in are answered soon, the others at once with 503; memory is bounded; and
// afterwards all is well. If they queued, the last would wait for four times as long
// as the load lasts.
func TestFiveTimesTheLoad(t *testing.T) {
	onEachAlone(t, func(t *testing.T, s service) {
		clients := []*servertest.Client{s.write, s.stranger}
		for range 6 {
			clients = append(clients, s.NewClient(t))
		}
		leave := slowClients(t, s, 25)
		defer leave()
		slowly(s)
		gate := s.Server.Server.Stats().Gates
		places := max(gate["all"].Places, gate["read"].Places)
		before := heap()

		var mu sync.Mutex
		var admitted []time.Duration
		shed, most := 0, uint64(0)
		pace := workTakes / time.Duration(5*places)
		ticker := time.NewTicker(pace)
		defer ticker.Stop()
		var all sync.WaitGroup
		for i := range int(loadLasts / pace) {
			<-ticker.C
			if i%100 == 0 {
				most = max(most, heap())
			}
			all.Go(func() {
				began := time.Now()
				r := clients[i%len(clients)].Do("GET", "/tasks?limit=1", nil)
				took := time.Since(began)
				mu.Lock()
				defer mu.Unlock()
				switch {
				case r.Status == http.StatusOK:
					admitted = append(admitted, took)
				case r.Status == http.StatusServiceUnavailable && r.Header.Get("Retry-After") != "" && strings.Contains(string(r.Body), "nothing was done"):
					shed++
				default:
					t.Errorf("%d %s", r.Status, r.Body)
				}
			})
		}
		all.Wait()
		slices.Sort(admitted)
		if len(admitted) == 0 || shed == 0 {
			t.Fatalf("%d let in, %d shed", len(admitted), shed)
		}
		if late := admitted[len(admitted)*99/100]; late > 2*loadLasts {
			t.Errorf("of those let in, 99 %% were answered within %s", late)
		}
		if most > before+64<<20 {
			t.Errorf("the heap grew from %d to %d MB", before>>20, most>>20)
		}
		for name, g := range s.Server.Server.Stats().Gates {
			if g.InWork != 0 || g.Waiting != 0 {
				t.Errorf("%s: %+v is left", name, g)
			}
		}
		for _, c := range clients {
			wantStatus(t, "afterwards", c.Do("GET", "/tasks?limit=1", nil), 200)
		}
		t.Logf("%d let in, the slowest %s; %d shed; heap %d to %d MB", len(admitted), admitted[len(admitted)-1], shed, before>>20, most>>20)
	}, func(o *server.Options) { o.MaxWaiting, o.MaxWait = 24, 300*time.Millisecond })
}

// heap is what is in use after a collection.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// One connection too many is answered, and closed; those that are there go on, and
// with one less there is room again.
func TestTooManyConnections(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		live := "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n"
		first, second := dial(t, s), dial(t, s)
		for range 2 {
			for _, c := range []io.Writer{first, second} {
				_, _ = io.WriteString(c, live)
			}
			wantStatus(t, "first", readAnswer(t, bufio.NewReader(first), false), 200)
			wantStatus(t, "second", readAnswer(t, bufio.NewReader(second), false), 200)
			third := exchange(t, s, live)
			wantError(t, "third", third, 503, "unavailable", "overloaded")
			if third.Header.Get("Retry-After") != "1" || third.Header.Get("Connection") != "close" {
				t.Errorf("third: %v", third.Header)
			}
		}
		if n := s.Server.Server.Stats(); n.Connections != 2 || n.ConnectionsRefused != 2 {
			t.Errorf("%d connections, %d refused", n.Connections, n.ConnectionsRefused)
		}
		_ = second.Close()
		until(t, "room for another", func() bool { return s.Server.Server.Stats().Connections == 1 })
		wantStatus(t, "another", exchange(t, s, live), 200)
	}, func(o *server.Options) { o.MaxConnections = 2 })
}

// However many come at once, each is told. A client that reads nothing before its
// connection ends cannot know that nothing was done.
func TestEveryConnectionTooManyIsTold(t *testing.T) {
	t.Parallel()
	s := start(t, dbtest.Open(t, dialect.SQLite), func(o *server.Options) { o.MaxConnections = 1 })
	first := dial(t, s)
	_, _ = io.WriteString(first, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
	wantStatus(t, "first", readAnswer(t, bufio.NewReader(first), false), 200)
	for i := range 200 { // none of them leaves
		wantError(t, fmt.Sprint("another ", i), readAnswer(t, bufio.NewReader(dial(t, s)), false), 503, "unavailable", "nothing was done")
	}
}

package traffic

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/dbtest"
)

// What several processes count at once, while they write, adds up to the request.
func TestCountsAreExact(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		processes := []*Recorder{NewRecorder(w.client), NewRecorder(w.client), NewRecorder(w.client)}
		missing := w.a
		missing.Status, missing.Code = http.StatusNotFound, "not_found"
		stop := make(chan struct{})
		var counting, writing sync.WaitGroup
		for _, r := range processes {
			for range 4 {
				counting.Go(func() {
					for range 500 {
						note(r, w.a, 1)
						note(r, missing, 1)
						note(r, w.b, 1)
					}
				})
			}
			writing.Go(func() {
				for done := false; !done; {
					select {
					case <-stop:
						done = true
					case <-time.After(5 * time.Millisecond):
					}
					if err := r.write(t.Context(), done); err != nil {
						t.Error(err)
					}
				}
			})
		}
		counting.Wait()
		close(stop)
		writing.Wait()
		const each = 3 * 4 * 500
		if hour, day := w.sums(t, w.a); hour != 2*each || day != 2*each {
			t.Errorf("%d in the hour, %d in the day; want %d", hour, day, 2*each)
		}
		if hour, day := w.sums(t, w.b); hour != each || day != each {
			t.Errorf("%d in the hour, %d in the day; want %d", hour, day, each)
		}
		slots, err := Hour(member(t, w.a.Workspace), w.client, nil, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		at := slices.IndexFunc(slots, func(s Slot) bool { return s.Start.Equal(w.a.At.UTC().Truncate(time.Minute)) })
		if len(slots) != 60 || at < 58 || slots[at].ByStatus[200] != each || slots[at].ByStatus[404] != each {
			t.Errorf("by status, in slot %d of %d: %v", at, len(slots), slots[max(0, at)])
		}
		if counts, _ := w.rows(t); counts != 3*3*2 {
			t.Errorf("%d rows; each process has one for each key, status and length", counts)
		}
	})
}

// A row is written once and updated then, for as long as its minute lasts; the one of
// the hour is updated now and then.
func TestOneRowAMinute(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		r := NewRecorder(w.client)
		ctx, start := operator(t), w.a.At.Truncate(time.Hour)
		for i := range 30 { // five minutes
			w.a.At = start.Add(time.Duration(i) * 10 * time.Second)
			note(r, w.a, 2)
			r.take()
			if err := r.book.write(ctx, w.a.At, false); err != nil {
				t.Fatal(err)
			}
			if counts, _ := w.rows(t); counts != i/6+1+1 {
				t.Fatalf("%d rows after %d writes", counts, i+1)
			}
		}
		if len(r.book.rows) > 3 {
			t.Errorf("%d rows are remembered", len(r.book.rows))
		}
		sum := func(seconds int16) (n int64) {
			for _, row := range w.client.KeyTraffic.Query().AllX(ctx) {
				if row.Seconds == seconds {
					n += row.Requests
				}
			}
			return n
		}
		if m, h := sum(60), sum(3600); m != 60 || h < 40 || h >= 60 {
			t.Errorf("%d by minutes, %d by the hour", m, h)
		}
		write(t, r)
		if h := sum(3600); h != 60 {
			t.Errorf("%d by the hour in the end", h)
		}
	})
}

// A stop writes what was counted.
func TestStopWrites(t *testing.T) {
	each(t, func(t *testing.T, w world) {
		r := NewRecorder(w.client)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { r.Run(ctx, func(err error) { t.Error(err) }); close(ended) }()
		w.a.Code = "unauthorized"
		note(r, w.a, 3)
		cancel()
		<-ended
		if hour, day := w.sums(t, w.a); hour != 3 || day != 3 {
			t.Errorf("%d in the hour, %d in the day", hour, day)
		}
		if _, refused := w.rows(t); refused != 3 {
			t.Errorf("%d refused", refused)
		}
	})
}

// With the database away nothing is lost, and nothing is counted twice where the
// answer to a write never came.
func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func(p *dbtest.Proxy){
		"away":           func(p *dbtest.Proxy) { p.Refuse() },
		"a lost insert":  func(p *dbtest.Proxy) { p.Cut(dbtest.Cut{Match: "INSERT INTO", Times: 9}) },
		"a question cut": func(p *dbtest.Proxy) { p.Cut(dbtest.Cut{Match: "INSERT INTO", Times: 9, Undelivered: true}) },
		"a lost update":  func(p *dbtest.Proxy) { p.Cut(dbtest.Cut{Match: "UPDATE", Times: 9}) },
		"a lost commit":  func(p *dbtest.Proxy) { p.Cut(dbtest.Cut{Match: "COMMIT", Times: 9}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := dbtest.URL(t, dialect.Postgres)
			proxy := dbtest.NewProxy(t, url)
			w := newWorld(dbtest.OpenURL(t, proxy.URL()))
			r := NewRecorder(w.client)
			refused := w.a
			refused.Status, refused.Code = http.StatusForbidden, "read_only_key"
			note(r, w.a, 5)
			write(t, r)
			fail(proxy)
			for range 3 {
				note(r, w.a, 7)
				note(r, refused, 1)
				_ = r.write(t.Context(), true)
			}
			proxy.Restore()
			write(t, r)
			if hour, day := w.sums(t, w.a); hour != 29 || day != 29 {
				t.Errorf("%d in the hour, %d in the day; want 29", hour, day)
			}
			if _, n := w.rows(t); n != 3 {
				t.Errorf("%d refused; want 3", n)
			}
		})
	}
}

// However many keys there are, memory is bounded, and what had no room is told.
func TestBounds(t *testing.T) {
	t.Parallel()
	q := Request{Workspace: uuid.New(), At: time.Now(), Status: http.StatusTooManyRequests, Code: "rate_limited"}
	r := NewRecorder(nil)
	const keys = 1_000_000
	for range keys {
		q.Key = uuid.New()
		r.Note(&q)
	}
	select {
	case <-r.full:
	default:
		t.Error("nobody was told to write")
	}
	counts, refused := 0, 0
	for i := range r.shards {
		counts, refused = counts+len(r.shards[i].counts), refused+len(r.shards[i].refused)
	}
	if counts > maxCounts || refused > maxRefused {
		t.Errorf("%d counts, %d refused requests are kept", counts, refused)
	}
	lost := r.take()
	if lost != keys-int64(counts) {
		t.Errorf("%d were lost; want %d", lost, keys-counts)
	}
	for range 3 { // and the database is away all the time
		for range keys / 4 {
			q.Key = uuid.New()
			r.Note(&q)
		}
		r.take()
	}
	if len(r.book.rows) > maxRows || len(r.book.refused) > maxRefused {
		t.Errorf("%d rows, %d refused requests wait to be written", len(r.book.rows), len(r.book.refused))
	}
}

package outages

import (
	"bufio"
	"database/sql"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"records/internal/programtest"
)

const (
	askers      = 48   // at once in a rush, which finds out how much can be done
	enough      = 400  // requests in a flood, that some of them find no place
	mostAsking  = 2000 // at once, for which a client waits: fewer than the connections that there may be
	slowClients = 25   // that send slowly, and as many that read slowly
	mostMemory  = 400  // MB; four times as much with the race detector
)

// overload makes each create of a project take a while, finds out how many can be done
// a second, and asks for five times as many, beside clients that are slow. Those that
// are let in must be answered in time, memory must be bounded, and all else goes on.
func overload(w *world, lasts time.Duration) {
	direct(w.t, w.site.direct, func(db *sql.DB) error { return run(db, w.site.slow) })
	leave := w.beSlow()
	sustained := w.rush(500 * time.Millisecond)
	lasts = max(lasts, min(enough*time.Second/time.Duration(5*sustained), 5*time.Second))
	var came flooded
	done := w.progressWhile(func() { came = w.flood(5*sustained, lasts) })
	leave()
	direct(w.t, w.site.direct, func(db *sql.DB) error { return run(db, w.site.fast) })

	most := mostMemory
	if programtest.Race {
		most *= 4
	}
	few := len(came.admitted)+came.shed < enough // on a machine that has no time for it
	if len(came.admitted) == 0 || came.shed == 0 && !few || done.others == 0 || came.memory > most {
		w.t.Errorf("of five times the load %d were let in and %d were not; of all else %d went well; it took %d MB", len(came.admitted), came.shed, done.others, came.memory)
		return
	}
	slices.Sort(came.admitted)
	w.tally.note("(%d a second can be done; of five times as many %d let in, p99 %s, %d shed; %d MB)",
		sustained, len(came.admitted), came.admitted[len(came.admitted)*99/100].Round(time.Millisecond), came.shed, came.memory)
}

// flooded is what came of too much load.
type flooded struct {
	admitted []time.Duration // until their answers
	shed     int
	memory   int // the most, in MB
}

// flood asks for slow creates at a pace, whether those before have their answers or
// not, and waits for all of them.
func (w *world) flood(aSecond int, lasts time.Duration) (came flooded) {
	var mu sync.Mutex
	var all sync.WaitGroup
	asking := make(chan struct{}, mostAsking)
	began := time.Now()
	for i := 0; time.Since(began) < lasts; i++ {
		time.Sleep(time.Until(began.Add(time.Duration(i) * time.Second / time.Duration(aSecond))))
		if i%100 == 0 {
			came.memory = max(came.memory, resident(w.t, w.program.cmd.Process.Pid))
		}
		asking <- struct{}{}
		all.Go(func() {
			a := w.createOne(i)
			<-asking
			mu.Lock()
			defer mu.Unlock()
			if a.outcome == acknowledged {
				came.admitted = append(came.admitted, a.took)
			} else {
				came.shed++
			}
		})
	}
	all.Wait()
	return came
}

// run does what is listed in one transaction.
func run(db *sql.DB, statements []string) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	for _, statement := range statements {
		if _, err := tx.Exec(statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// createOne creates a project in one of the workspaces, for one of its writers.
func (w *world) createOne(i int) answer {
	k := w.writers[i%len(w.writers)]
	n := w.crowded.Add(1)
	return w.createFor(w.crowd, k.space, &entry{
		owner: k, resource: projects, marker: fmt.Sprintf("%s-crowd-m%d", mark, n), values: []string{fmt.Sprintf("%s-crowd-v%d", mark, n)},
	})
}

// rush has many create projects one after the other, and returns how many were
// acknowledged in a second.
func (w *world) rush(lasts time.Duration) int {
	var done atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for i := range askers {
		all.Go(func() {
			for time.Since(began) < lasts {
				if w.createOne(i).outcome == acknowledged {
					done.Add(1)
				} else {
					time.Sleep(pause)
				}
			}
		})
	}
	all.Wait()
	return max(1, int(float64(done.Load())/time.Since(began).Seconds()))
}

// amid does something in the middle of a rush.
func (w *world) amid(what func()) {
	var all sync.WaitGroup
	all.Go(func() { w.rush(400 * time.Millisecond) })
	time.Sleep(w.moment(100, 300))
	what()
	all.Wait()
}

// beSlow connects clients that stop in the middle of a body, and others that ask for
// pages and do not read them, until they leave.
func (w *world) beSlow() (leave func()) {
	auth := "Host: a\r\nAuthorization: Bearer " + w.spaces[0].token + "\r\n"
	var open []io.Closer
	for i := range 2 * slowClients {
		c, err := net.Dial("tcp", strings.TrimPrefix(w.program.address.Load().(string), "http://"))
		if err != nil {
			w.t.Error(tellable(err))
			break
		}
		open = append(open, c)
		if i%2 == 0 {
			_, _ = io.WriteString(c, "POST /api/v1/tasks HTTP/1.1\r\n"+auth+"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
			continue
		}
		_, _ = io.WriteString(c, strings.Repeat("GET /api/v1/tasks?limit=200 HTTP/1.1\r\n"+auth+"\r\n", 50))
		if _, err := bufio.NewReaderSize(c, 16).ReadByte(); err != nil {
			w.t.Error(err)
		}
	}
	return func() {
		for _, c := range open {
			_ = c.Close()
		}
	}
}

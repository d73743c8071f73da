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
	askers      = 48   // that find out how much can be done
	mostAsking  = 2000 // at once, which is less than the connections that there may be
	slowClients = 25   // that send slowly, and as many that read slowly
	mostMemory  = 400  // MB; four times as much with the race detector
)

// overload makes each create of a project take a while, finds out how many can be done
// a second, and asks for five times as many. Those that are let in must be answered in
// time, memory must be bounded, and all else goes on.
func overload(w *world, lasts time.Duration) {
	direct(w.t, w.site.direct, func(db *sql.DB) error { return run(db, w.site.slow) })
	leave := w.beSlow()
	sustained := w.sustained(500 * time.Millisecond)
	pace := time.Second / time.Duration(5*sustained)

	var mu sync.Mutex
	var admitted []time.Duration
	var shed, memory int
	var all sync.WaitGroup
	var asking atomic.Int64
	done := w.progressWhile(func() {
		began := time.Now()
		for i := 0; time.Since(began) < lasts; i++ {
			if i%100 == 0 {
				memory = max(memory, resident(w.t, w.program.cmd.Process.Pid))
			}
			time.Sleep(time.Until(began.Add(time.Duration(i) * pace)))
			if asking.Add(1) > mostAsking {
				w.t.Errorf("%d requests wait for their answer: what is too much is not refused early", mostAsking)
				break
			}
			all.Go(func() {
				a := w.createSlowly(i)
				asking.Add(-1)
				mu.Lock()
				defer mu.Unlock()
				if a.outcome == acknowledged {
					admitted = append(admitted, a.took)
				} else {
					shed++
				}
			})
		}
	})
	all.Wait()
	leave()
	direct(w.t, w.site.direct, func(db *sql.DB) error { return run(db, w.site.fast) })

	slices.Sort(admitted)
	if len(admitted) == 0 || shed == 0 || done.others == 0 {
		w.t.Errorf("of five times the load %d were let in and %d were not; of all else %d went well", len(admitted), shed, done.others)
		return
	}
	most := mostMemory
	if programtest.Race {
		most *= 4
	}
	if memory > most {
		w.t.Errorf("it took %d MB", memory)
	}
	w.tally.note("(%d a second can be done; of five times as many %d let in, p99 %s, %d shed; %d MB)",
		sustained, len(admitted), admitted[len(admitted)*99/100].Round(time.Millisecond), shed, memory)
}

func run(db *sql.DB, statements []string) error {
	for _, statement := range statements {
		if _, err := db.Exec(statement); err != nil {
			return err
		}
	}
	return nil
}

// createSlowly creates a project in one of the workspaces, for one of its writers.
func (w *world) createSlowly(i int) answer {
	k := w.writers[i%len(w.writers)]
	n := w.slowly.Add(1)
	return w.createFor(w.crowd, k.space, &entry{
		owner: k, resource: projects, marker: fmt.Sprintf("%s-slow-m%d", mark, n), values: []string{fmt.Sprintf("%s-slow-v%d", mark, n)},
	})
}

// sustained is how many slow creates are done in a second, when there are enough that
// ask, and none of them too often.
func (w *world) sustained(in time.Duration) int {
	var done atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for i := range askers {
		all.Go(func() {
			for time.Since(began) < in {
				if w.createSlowly(i).outcome == acknowledged {
					done.Add(1)
				}
			}
		})
	}
	all.Wait()
	return max(1, int(float64(done.Load())/time.Since(began).Seconds()))
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

package prove

import (
	"flag"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"records/internal/database"
	"records/internal/dbtest"
)

var (
	operations = flag.Int64("operations", 4000, "how many requests are sent on each database")
	seed       = flag.Uint64("seed", 0, "makes each worker choose as in an earlier run; 0 is one by chance")
	workers    = flag.Int("workers", 8, "how many workers act at once")
)

// spacesEach is how many workspaces a worker has.
const spacesEach = 2

// Nobody gets, changes or learns anything of another workspace.
func TestProve(t *testing.T) {
	t.Parallel()
	chosen := *seed
	if chosen == 0 {
		chosen = rand.Uint64()
	}
	dbtest.EachConfined(t, func(t *testing.T, db, served *database.DB) {
		t.Logf("-seed %d -workers %d", chosen, *workers)
		w := newWorld(t, db, served, *workers*spacesEach)
		var group sync.WaitGroup
		for i := range *workers {
			k := &worker{world: w, Rand: rand.New(rand.NewPCG(chosen, uint64(i))), number: i, own: w.spaces[i*spacesEach:][:spacesEach]}
			group.Go(func() {
				if err := k.work(); err != nil {
					w.stop.Store(true)
					t.Errorf("worker %d, -seed %d: %v\n\nwhat it did last:\n%s\n\nthe last error in the log: %s", i, chosen, err, strings.Join(k.recent, "\n"), w.journal.lastFailure())
				}
			})
		}
		w.tell(t, &group)
		if !t.Failed() {
			w.aftermath(t)
			w.everything(t)
		}
	})
}

// work goes on until enough was done, or something is wrong.
func (k *worker) work() error {
	for n := 1; k.done.Load() < *operations && !k.stop.Load(); n++ {
		if err := k.step(); err != nil {
			return err
		}
		if n%5000 == 0 {
			if err := k.verify(); err != nil {
				return err
			}
		}
	}
	if k.stop.Load() {
		return nil
	}
	if err := k.lastChanges(); err != nil {
		return err
	}
	return k.verify()
}

// tell waits for the workers, and says now and then how far they are.
func (w *world) tell(t *testing.T, group *sync.WaitGroup) {
	t.Helper()
	const every = 10 * time.Second
	began, ended := time.Now(), make(chan struct{})
	go func() { group.Wait(); close(ended) }()
	tick := time.NewTicker(every)
	defer tick.Stop()
	say := func() {
		n, took := w.done.Load(), time.Since(began)
		t.Logf("%d of %d requests, %.0f a second", n, *operations, float64(n)/took.Seconds())
	}
	for {
		select {
		case <-tick.C:
			say()
		case <-ended:
			say()
			return
		}
	}
}

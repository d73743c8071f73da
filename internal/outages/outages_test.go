package outages

import (
	"flag"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"records/internal/programtest"
)

var (
	minutes = flag.Float64("minutes", 0, "for how long one outage follows the other on each database; 0 is each kind once, for a moment")
	seed    = flag.Uint64("seed", 0, "makes the same choices as an earlier run; 0 is one by chance")
)

// binary is the program, built once.
var binary string

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(programtest.Run(m, &binary))
}

// Whatever goes away and comes back, what was acknowledged is there, once.
func TestOutages(t *testing.T) {
	t.Parallel()
	chosen := *seed
	if chosen == 0 {
		chosen = rand.Uint64()
	}
	for name, open := range map[string]func(*testing.T) site{"sqlite": onSQLite, "postgres": onPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			t.Logf("-seed %d", chosen)
			w := newWorld(t, open(t), chosen)
			w.startWriters(chosen)
			w.goThrough()
			w.endWriters()
			w.tell()
		})
	}
}

// outage is something that goes wrong, and is over when it returns.
type outage struct {
	name string
	// happen brings it about, lets it last for so long, and ends it.
	happen func(w *world, lasts time.Duration)
	// least is how long it lasts at least, if its effect needs that.
	least time.Duration
}

// goThrough lets one outage follow the other until the time is over, each kind once
// at least.
func (w *world) goThrough() {
	end := time.Now().Add(time.Duration(*minutes * float64(time.Minute)))
	kinds := append(onBoth(), w.site.outages...)
	for first := true; first || time.Now().Before(end); first = false {
		w.Shuffle(len(kinds), func(i, j int) { kinds[i], kinds[j] = kinds[j], kinds[i] })
		for i, kind := range kinds {
			if w.t.Failed() || !first && time.Now().After(end) {
				return
			}
			w.goThroughOne(kind)
			if *minutes > 0 || i%5 == 4 {
				w.verify(kind.name)
			}
		}
	}
}

// goThroughOne lets an outage happen, and waits for good answers.
func (w *world) goThroughOne(kind outage) {
	time.Sleep(w.moment(50, 300))
	lasts := w.moment(100, 400)
	if *minutes > 0 {
		lasts = w.moment(100, 3000)
		if w.IntN(4) == 0 {
			lasts = w.moment(3000, 14000) // longer than a request may take
		}
	}
	w.tally.begin(kind.name)
	kind.happen(w, max(lasts, kind.least))
	back := w.awaitGood()
	w.tally.end(back)
}

// moment is a time between so many milliseconds.
func (w *world) moment(least, most int) time.Duration {
	return time.Duration(least+w.IntN(most-least)) * time.Millisecond
}

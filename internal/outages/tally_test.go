package outages

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"
)

// tally is what is told of a run.
type tally struct {
	mu                                       sync.Mutex
	requests, acknowledged, refused, unknown int
	happened, not                            int // of what was left open
	imports                                  [3]int
	slowest                                  time.Duration
	slowestIn                                string
	kinds                                    map[string]*kindTally
	now                                      string // the outage that goes on, or ended last
	notes                                    map[string]string
	progressed                               progress
}

// kindTally is what is told of one kind of outage.
type kindTally struct {
	times        int
	during       bool // it goes on, until good answers come again
	began        time.Time
	lasted, back time.Duration // all together; the longest until good answers came
	slowest      time.Duration
	answers      map[int]int // by status; 0 is none
	open         int         // writes that were left open
}

func newTally() *tally {
	return &tally{kinds: map[string]*kindTally{}, now: "nothing", notes: map[string]string{}}
}

func (t *tally) begin(kind string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.kinds[kind]
	if k == nil {
		k = &kindTally{answers: map[int]int{}}
		t.kinds[kind] = k
	}
	t.now, k.during, k.began = kind, true, time.Now()
	k.times++
}

// end takes up how long it took until good answers came again.
func (t *tally) end(back time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	k := t.kinds[t.now]
	k.during, k.lasted, k.back = false, k.lasted+time.Since(k.began)-back, max(k.back, back)
}

// count takes up the answer to a request for a path.
func (t *tally) count(method, path string, a answer) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	if a.outcome == acknowledged {
		t.progressed.count(method, path)
	}
	*[]*int{&t.acknowledged, &t.refused, &t.unknown}[a.outcome]++
	if a.took > t.slowest && a.status != 0 {
		t.slowest, t.slowestIn = a.took, t.now
	}
	if k := t.kinds[t.now]; k != nil && k.during {
		k.answers[a.status]++
		if a.outcome == unknown {
			k.open++
		}
		if a.status != 0 {
			k.slowest = max(k.slowest, a.took)
		}
	}
}

// progress is what went well so far.
func (t *tally) progress() progress {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.progressed
}

// refusedNow is how many requests were refused so far.
func (t *tally) refusedNow() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.refused
}

func (t *tally) imported(o outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.imports[o]++
}

// resolved counts a write that was left open.
func (t *tally) resolved(happened bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	*map[bool]*int{true: &t.happened, false: &t.not}[happened]++
}

// note keeps a figure of a kind of outage, the last one.
func (t *tally) note(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notes[t.now] = fmt.Sprintf(format, args...)
}

// outage is the one that goes on, or ended last.
func (t *tally) outage() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// tell prints the figures.
func (w *world) tell() {
	t := w.tally
	t.mu.Lock()
	defer t.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%d requests: %d acknowledged, %d refused, %d left open (of what they asked for, %d were there and %d were not); the slowest answer took %s (%s)\n",
		t.requests, t.acknowledged, t.refused, t.unknown, t.happened, t.not, t.slowest.Round(time.Millisecond), t.slowestIn)
	fmt.Fprintf(&b, "imports: %d acknowledged, %d refused, %d left open\n", t.imports[acknowledged], t.imports[refused], t.imports[unknown])
	names := []string{}
	for name := range t.kinds {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		k := t.kinds[name]
		fmt.Fprintf(&b, "%-36s %3d times, %s in all; 2xx %d, 503 %d, none %d; %d left open; slowest %s; back within %s %s\n", name, k.times, k.lasted.Round(100*time.Millisecond),
			k.answers[200]+k.answers[201], k.answers[503], k.answers[0], k.open, k.slowest.Round(time.Millisecond), k.back.Round(time.Millisecond), t.notes[name])
	}
	w.t.Log(b.String())
}

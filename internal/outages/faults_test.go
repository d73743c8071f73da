package outages

import (
	"net/http"
	"strings"
	"time"
)

// onBoth is what can happen to the program, whatever its database.
func onBoth() []outage {
	return []outage{
		{name: "the program is killed", happen: func(w *world, lasts time.Duration) {
			w.amid(func() {
				w.program.kill()
				time.Sleep(min(lasts, time.Second))
				w.program.start()
			})
		}},
		{name: "the program is told to stop", happen: func(w *world, lasts time.Duration) {
			w.program.stop()
			time.Sleep(min(lasts, time.Second))
			w.program.start()
		}},
		{name: "five times the load", happen: overload, least: 1500 * time.Millisecond},
	}
}

// progress is what was acknowledged, for outages in which some of it must go on.
type progress struct{ reads, others int64 }

// count takes up a request that went well. Others are those for what no outage locks
// or slows down.
func (p *progress) count(method, path string) {
	if method == http.MethodGet {
		p.reads++
	}
	if !strings.HasPrefix(path, "/"+tasks.plural) && !strings.HasPrefix(path, "/"+projects.plural) {
		p.others++
	}
}

// progressWhile returns what was acknowledged meanwhile.
func (w *world) progressWhile(what func()) progress {
	before := w.tally.progress()
	what()
	after := w.tally.progress()
	return progress{after.reads - before.reads, after.others - before.others}
}

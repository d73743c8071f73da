package database

import (
	"sync/atomic"
	"time"
)

// watch has a connection's operations doubt their server when they last for long: one
// that stands still does not say so, nor that it was replaced.
type watch struct {
	p     *primary
	busy  atomic.Bool
	timer *time.Timer
}

func newWatch(p *primary) *watch {
	w := &watch{p: p}
	w.timer = time.AfterFunc(doubt, w.rung)
	w.timer.Stop()
	return w
}

func (w *watch) rung() {
	if !w.busy.Load() {
		return
	}
	w.p.ask()
	if w.busy.Load() {
		w.timer.Reset(doubt)
	}
}

// begin is called when an operation begins.
func (w *watch) begin() {
	if w != nil {
		w.busy.Store(true)
		w.timer.Reset(doubt)
	}
}

// end is called when it has ended.
func (w *watch) end() {
	if w != nil {
		w.busy.Store(false)
		w.timer.Stop()
	}
}

package server

import (
	"log/slog"
	"sync/atomic"
	"time"

	"records/internal/database"
)

// calm is how long nothing is told of the database after it came back: one that comes and
// goes would fill the log.
const calm = 10 * time.Second

// outage tells once that the database cannot be reached, and once that it can again. The
// requests that it fails each have a line of their own beside.
type outage struct {
	since atomic.Int64 // in nanoseconds of the Unix epoch; 0: it can be reached
	ended atomic.Int64 // the last one
}

// note takes up what a request has found.
func (o *outage) note(log *slog.Logger, failed error, reached bool) {
	now := time.Now().UnixNano()
	switch since := o.since.Load(); {
	case reached && since != 0 && o.since.CompareAndSwap(since, 0):
		o.ended.Store(now)
		log.Info("the database answers again", "after", time.Duration(now-since).Round(time.Millisecond))
	case failed != nil && since == 0 && now-o.ended.Load() > int64(calm) && database.Kind(failed) == "unreachable" && o.since.CompareAndSwap(0, now):
		log.Warn("the database cannot be reached", "error", failed.Error())
	}
}

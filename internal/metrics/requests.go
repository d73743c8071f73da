package metrics

import (
	"maps"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"records/internal/server"
)

// buckets of the latency, in seconds: from a record that is in memory to a request
// that has used up its time.
var buckets = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// requests counts requests. Of each combination of labels it remembers where it
// counts, for to look a label up by its text takes longer than to count.
type requests struct {
	total    *prometheus.CounterVec
	duration *prometheus.HistogramVec

	known  atomic.Pointer[map[labels]series] // never changed, only replaced
	making sync.Mutex
}

// labels of a request. There are as many as routes times methods times statuses: what
// clients make up does not get here.
type labels struct {
	route, method string
	status        int
}

type series struct {
	total    prometheus.Counter
	duration prometheus.Observer
}

func newRequests() *requests {
	r := &requests{
		total: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "records_http_requests_total", Help: "Requests that were answered.",
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "records_http_request_duration_seconds", Help: "Time from a request's header to the end of its answer.",
			Buckets: buckets,
		}, []string{"route", "method"}),
	}
	r.known.Store(&map[labels]series{})
	return r
}

func (r *requests) observe(a server.Answer) {
	l := labels{a.Route, a.Method, a.Status}
	s, ok := (*r.known.Load())[l]
	if !ok {
		s = r.make(l)
	}
	s.total.Inc()
	s.duration.Observe(a.Took.Seconds())
}

// make remembers a new combination.
func (r *requests) make(l labels) series {
	r.making.Lock()
	defer r.making.Unlock()
	s := series{r.total.WithLabelValues(l.route, l.method, strconv.Itoa(l.status)), r.duration.WithLabelValues(l.route, l.method)}
	known := maps.Clone(*r.known.Load())
	known[l] = s
	r.known.Store(&known)
	return s
}

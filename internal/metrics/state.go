package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"records/internal/server"
)

// state is what the server tells of itself, read at each scrape.
type state struct{ stats func() server.Stats }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("records_"+name, help, labels, nil)
}

var (
	inFlight    = desc("http_requests_in_flight", "Requests that are being answered.")
	connections = desc("http_connections", "Open connections of clients.")
	refused     = desc("http_connections_refused_total", "Connections refused because there were server.max_connections.")

	ceilingRefused  = desc("ceiling_refused_total", "Requests answered 429, by the ceiling that was reached.", "ceiling")
	ceilingDegraded = desc("ceiling_degraded", "1 while Redis is set but does not count, and each replica counts by itself.")
	ceilingFallback = desc("ceiling_fallbacks_total", "Questions that were answered in process in place of Redis.")

	answersHeld    = desc("answers_held_bytes", "Large answers that are held until they have been read.")
	answersWaiting = desc("answers_waiting", "Large answers that wait until there is room to hold them.")

	gatePlaces  = desc("gate_places", "How many requests may be at work at the database at once.", "gate")
	gateWork    = desc("gate_in_work", "Requests that are at work at the database.", "gate")
	gateWaiting = desc("gate_waiting", "Requests that wait for a place at the database.", "gate")
	gateShed    = desc("shed_total", "Requests answered 503 without having been begun: the line was full, or no place became free in time.", "gate", "reason")

	keyHits   = desc("key_cache_hits_total", "Requests whose key was remembered.")
	keyMisses = desc("key_cache_misses_total", "Requests whose key had to be looked up.")
	keySize   = desc("key_cache_size", "Keys that are remembered: known ones, and ones that there are not.", "keys")

	databaseErrors = desc("database_errors_total", "Requests that the database failed.", "kind")
)

// Describe implements prometheus.Collector.
func (s state) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		inFlight, connections, refused, ceilingRefused, ceilingDegraded, ceilingFallback,
		gatePlaces, gateWork, gateWaiting, gateShed, answersHeld, answersWaiting, keyHits, keyMisses, keySize, databaseErrors,
	} {
		to <- d
	}
}

// Collect implements prometheus.Collector.
func (s state) Collect(to chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value int, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(value), labels...)
	}
	counter := func(d *prometheus.Desc, value int64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(value), labels...)
	}
	now := s.stats()
	gauge(inFlight, int(now.InFlight))
	gauge(connections, int(now.Connections))
	counter(refused, now.ConnectionsRefused)
	counter(ceilingRefused, now.RefusedByKey, "key")
	counter(ceilingRefused, now.RefusedByIP, "ip")
	degraded := 0
	if now.Degraded {
		degraded = 1
	}
	gauge(ceilingDegraded, degraded)
	counter(ceilingFallback, now.Fallbacks)
	for name, g := range now.Gates {
		gauge(gatePlaces, g.Places, name)
		gauge(gateWork, g.InWork, name)
		gauge(gateWaiting, g.Waiting, name)
		counter(gateShed, g.Full, name, "full")
		counter(gateShed, g.Late, name, "late")
	}
	gauge(answersHeld, now.Answers.InWork)
	gauge(answersWaiting, now.Answers.Waiting)
	counter(gateShed, now.Answers.Full, "answers", "full")
	counter(gateShed, now.Answers.Late, "answers", "late")
	counter(keyHits, now.Keys.Hits)
	counter(keyMisses, now.Keys.Misses)
	gauge(keySize, now.Keys.Known, "known")
	gauge(keySize, now.Keys.Unknown, "unknown")
	for kind, n := range now.Failed {
		counter(databaseErrors, n, kind)
	}
}

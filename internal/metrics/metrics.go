// Package metrics shows the program to Prometheus. It is told of each request, and
// asks for everything else when it is scraped.
package metrics

import (
	"database/sql"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"records/internal/server"
)

// maxScrapes is how many may go on at once.
const maxScrapes = 4

// Metrics are those of one server. It is safe for concurrent use.
type Metrics struct {
	registry *prometheus.Registry
	requests *requests
}

// New returns the metrics of a program of some version, with the pools of its database
// by their names.
func New(version string, pools map[string]*sql.DB) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), requests: newRequests()}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "records_build_info", Help: "1, with the version of the program.",
		ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	m.registry.MustRegister(build, m.requests.total, m.requests.duration,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	for name, pool := range pools {
		m.registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
	return m
}

// Observe is the server's: it is told of each request.
func (m *Metrics) Observe(a server.Answer) { m.requests.observe(a) }

// Handler serves /metrics with what the server tells of itself, and the server's own
// health checks.
func (m *Metrics) Handler(s *server.Server) http.Handler {
	m.registry.MustRegister(state{s.Stats})
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{MaxRequestsInFlight: maxScrapes}))
	mux.Handle("/livez", s)
	mux.Handle("/readyz", s)
	return mux
}

package metrics_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"testing"

	"entgo.io/ent/dialect"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/metrics"
	"records/internal/server"
	"records/internal/servertest"
)

// watched starts a server and its metrics.
func watched(t testing.TB, db *database.DB, options ...servertest.Option) (*servertest.Server, http.Handler) {
	t.Helper()
	m := metrics.New("v1.2.3", db.Pools())
	s := servertest.Start(t, db, append(options, func(o *server.Options) { o.Observe = m.Observe })...)
	return s, m.Handler(s.Server)
}

// scrape reads the metrics as Prometheus does.
func scrape(t testing.TB, h http.Handler) map[string]*dto.MetricFamily {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	parser := expfmt.NewTextParser(model.LegacyValidation)
	families, err := parser.TextToMetricFamilies(w.Body)
	if err != nil || w.Code != http.StatusOK {
		t.Fatal(w.Code, err)
	}
	return families
}

// value is that of one series: of a counter, a gauge, or how much a histogram has seen.
func value(families map[string]*dto.MetricFamily, name string, labels ...string) float64 {
	for _, m := range families[name].GetMetric() {
		if matches(m, labels) {
			return m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	return math.NaN()
}

func matches(m *dto.Metric, labels []string) bool {
	got := map[string]string{}
	for _, l := range m.GetLabel() {
		got[l.GetName()] = l.GetValue()
	}
	for i := 0; i < len(labels); i += 2 {
		if got[labels[i]] != labels[i+1] {
			return false
		}
	}
	return true
}

// Each thing that happens is counted where it belongs.
func TestWhatIsCounted(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		s, h := watched(t, db, func(o *server.Options) { o.PerKey, o.PerIP = 7, 10 })
		c := s.NewClient(t)
		id := c.Create("tasks", map[string]any{"name": "a"})
		for range 3 {
			c.Do("GET", "/tasks/"+id, nil)
		}
		c.Do("GET", "/tasks", nil)
		c.Do("GET", "/tasks/x", nil)
		c.Do("POST", "/tasks", `{"name":1}`)
		c.Do("GET", "/tasks", nil) // one too many for the key
		s.Anonymous(t).Do("GET", "/tasks", nil)
		s.Anonymous(t).Do("GET", "/tasks", nil)
		s.Anonymous(t).Do("GET", "/tasks", nil)
		s.Anonymous(t).Do("GET", "/tasks", nil) // for the address
		all := scrape(t, h)
		const requests = "records_http_requests_total"
		for _, test := range []struct {
			want   float64
			name   string
			labels []string
		}{
			{1, requests, []string{"route", "/api/v1/tasks", "method", "POST", "status", "201"}},
			{3, requests, []string{"route", "/api/v1/tasks/:id", "method", "GET", "status", "200"}},
			{1, requests, []string{"route", "/api/v1/tasks/:id", "method", "GET", "status", "404"}},
			{1, requests, []string{"route", "/api/v1/tasks", "method", "POST", "status", "400"}},
			{3, requests, []string{"route", "/api/v1/tasks", "method", "GET", "status", "401"}},
			{2, requests, []string{"route", "/api/v1/tasks", "method", "GET", "status", "429"}},
			{4, "records_http_request_duration_seconds", []string{"route", "/api/v1/tasks/:id", "method", "GET"}},
			{1, "records_ceiling_refused_total", []string{"ceiling", "key"}},
			{1, "records_ceiling_refused_total", []string{"ceiling", "ip"}},
			{0, "records_ceiling_degraded", nil},
			{1, "records_key_cache_size", []string{"keys", "known"}},
			{0, "records_http_requests_in_flight", nil},
			{1, "records_build_info", []string{"version", "v1.2.3"}},
			{0, "records_database_errors_total", []string{"kind", "unreachable"}},
			{0, "records_answers_held_bytes", nil},
			{0, "records_shed_total", []string{"gate", "answers", "reason", "late"}},
			{0, "records_shed_total", []string{"gate", "pages", "reason", "full"}},
		} {
			if got := value(all, test.name, test.labels...); got != test.want {
				t.Errorf("%s%v is %v, want %v", test.name, test.labels, got, test.want)
			}
		}
		// On a busy machine an answer may have aged before the next request.
		hits, misses := value(all, "records_key_cache_hits_total"), value(all, "records_key_cache_misses_total")
		if hits < 1 || misses < 1 || hits+misses != 8 {
			t.Errorf("of 8 looks at keys %v were hits and %v misses", hits, misses)
		}
		pool, gate := "all", "all"
		if db.Dialect() == dialect.SQLite {
			pool, gate = "reader", "read"
		}
		if value(all, "go_sql_max_open_connections", "db_name", pool) != 4 || value(all, "records_gate_places", "gate", gate) != 3 ||
			!(value(all, "go_sql_open_connections", "db_name", pool) > 0) || value(all, "records_shed_total", "gate", gate, "reason", "full") != 0 {
			t.Errorf("pool %v, gates %v", all["go_sql_open_connections"], all["records_gate_places"])
		}
	})
}

// However many paths and methods clients make up, the series do not grow.
func TestLabelsAreBounded(t *testing.T) {
	t.Parallel()
	s, h := watched(t, dbtest.Open(t, dialect.SQLite))
	c := s.NewClient(t)
	series := func() (n int) {
		for _, family := range scrape(t, h) {
			n += len(family.GetMetric())
		}
		return n
	}
	ask := func(i int) {
		for _, at := range []struct{ method, path string }{
			{"GET", "/nothing"}, {"GET", "/tasks/"}, {"MAKEUP", "/tasks"}, {"PUT", "/tasks"},
		} {
			method, path := at.method, at.path
			if method == "MAKEUP" {
				method += fmt.Sprint(i)
			} else if path != "/tasks" {
				path += fmt.Sprint(i)
			}
			r, _ := http.NewRequestWithContext(context.Background(), method, s.URL+server.Base+path, nil)
			r.Header.Set("Authorization", "Bearer "+c.Token)
			res, err := http.DefaultTransport.RoundTrip(r)
			if err != nil {
				t.Fatal(err)
			}
			_ = res.Body.Close()
		}
	}
	ask(0)
	before := series()
	for i := range 50 {
		ask(i)
	}
	if after := series(); after != before {
		t.Errorf("%d series, then %d", before, after)
	}
	all := scrape(t, h)
	if value(all, "records_http_requests_total", "route", "none", "method", "other", "status", "405") != 51 {
		t.Errorf("made-up methods: %v", all["records_http_requests_total"])
	}
}

// Failures of the database are told apart from what was shed.
func TestFailuresAreCounted(t *testing.T) {
	t.Parallel()
	proxy := dbtest.NewProxy(t, dbtest.URL(t, dialect.Postgres))
	s, h := watched(t, dbtest.OpenURL(t, proxy.URL()))
	c := s.NewClient(t)
	c.Do("GET", "/tasks", nil)
	proxy.Refuse()
	if r := c.Do("GET", "/tasks", nil); r.Status != 503 {
		t.Fatal(r.Status)
	}
	if got := value(scrape(t, h), "records_database_errors_total", "kind", "unreachable"); got != 1 {
		t.Errorf("unreachable: %v", got)
	}
}

// Health is there beside the metrics, and nothing else.
func TestHealthBesideMetrics(t *testing.T) {
	t.Parallel()
	s, h := watched(t, dbtest.Open(t, dialect.SQLite))
	get := func(method, path string) int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		return w.Code
	}
	for path, want := range map[string]int{"/livez": 200, "/readyz": 200, "/metrics": 200, "/api/v1/tasks": 404, "/": 404} {
		if got := get("GET", path); got != want {
			t.Errorf("%s: %d, want %d", path, got, want)
		}
	}
	if got := get("POST", "/metrics"); got != 405 {
		t.Errorf("POST: %d", got)
	}
	res, err := http.Get(s.URL + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != 404 {
		t.Errorf("on the public listener: %d", res.StatusCode)
	}
	s.Stop()
	if live, ready := get("GET", "/livez"), get("GET", "/readyz"); live != 200 || ready != 503 {
		t.Errorf("stopping: %d and %d", live, ready)
	}
}

// What a request pays for its metrics.
func BenchmarkObserve(b *testing.B) {
	m := metrics.New("", nil)
	a := server.Answer{Route: "/api/v1/tasks/:id", Method: "GET", Status: 200, Took: 1e6}
	b.ReportAllocs()
	for b.Loop() {
		m.Observe(a)
	}
}

// A request from the first byte to the last, with metrics and without.
func BenchmarkServe(b *testing.B) {
	for _, with := range []bool{false, true} {
		b.Run(fmt.Sprint(with), func(b *testing.B) {
			s := servertest.Start(b, dbtest.Open(b, dialect.SQLite), func(o *server.Options) {
				o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
				if with {
					o.Observe = metrics.New("", nil).Observe
				}
			})
			r := httptest.NewRequest(http.MethodGet, server.Base+"/tasks/1", nil)
			r.Header.Set("Authorization", "Bearer "+s.NewClient(b).Token)
			b.ReportAllocs()
			for b.Loop() {
				s.Server.ServeHTTP(httptest.NewRecorder(), r)
			}
		})
	}
}

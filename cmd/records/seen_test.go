package main_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/protobuf/proto"
)

// get asks the listener for metrics.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// Metrics have a listener of their own, with the health checks, and there are none
// unless it is asked for.
func TestServeMetrics(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		s := p.serve("--metrics.addr", "127.0.0.1:0")
		s.status(200, "GET", "/livez", "", "")
		status, text := get(t, s.printed["metrics"])
		for _, line := range []string{
			`records_http_requests_total{method="GET",route="/livez",status="200"} 1`,
			`records_build_info{version="`, "go_goroutines ", "process_resident_memory_bytes ", "go_sql_in_use_connections{db_name=",
		} {
			if status != 200 || !strings.Contains(text, line) {
				t.Errorf("%d, and no %q in\n%s", status, line, text)
			}
		}
		base := strings.TrimSuffix(s.printed["metrics"], "/metrics")
		for path, want := range map[string]int{"/livez": 200, "/readyz": 200, "/api/v1/tasks": 404} {
			if got, _ := get(t, base+path); got != want {
				t.Errorf("%s: %d, want %d", path, got, want)
			}
		}
		if got, _ := get(t, s.address+"/metrics"); got != 404 {
			t.Errorf("on the public listener: %d", got)
		}
		s.stop()
	})
}

func TestServeMetricsNowhere(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	stdout, stderr, code := p.run("serve", "--addr", "127.0.0.1:0", "--metrics.addr", "192.0.2.1:1")
	if code != 1 || stdout != "" || !strings.Contains(stderr, "\nrecords: metrics.addr: ") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// The last spans are sent before the program ends.
func TestServeTraces(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		var spans atomic.Int64
		c := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			var batch collector.ExportTraceServiceRequest
			if body, err := io.ReadAll(r.Body); err != nil || proto.Unmarshal(body, &batch) != nil {
				t.Error("no batch of spans")
			}
			for _, resource := range batch.ResourceSpans {
				for _, scope := range resource.ScopeSpans {
					spans.Add(int64(len(scope.Spans)))
				}
			}
		}))
		defer c.Close()
		k := p.key("Acme", "read")
		s := p.serve("--trace.endpoint", c.URL, "--trace.ratio", "1")
		s.status(200, "GET", "/api/v1/tasks", k.Token, "")
		s.stop()
		if n := spans.Load(); n != 2 {
			t.Errorf("%d spans, want the request and its statement", n)
		}
	})
}

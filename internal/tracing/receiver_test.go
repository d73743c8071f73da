package tracing_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
)

// receiver takes traces by OTLP over HTTP, as a collector does.
type receiver struct {
	*httptest.Server

	mu       sync.Mutex
	received []*tracepb.Span
	text     strings.Builder // of all that came, resources included
	refuse   int             // so many batches with 503
	tries    int
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	c := &receiver{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		body, err := io.ReadAll(r.Body)
		var batch collector.ExportTraceServiceRequest
		if err != nil || proto.Unmarshal(body, &batch) != nil || r.Method != "POST" || r.URL.Path != "/v1/traces" ||
			r.Header.Get("Content-Type") != "application/x-protobuf" || len(batch.ProtoReflect().GetUnknown()) > 0 {
			t.Errorf("%s %s %s: no batch", r.Method, r.URL.Path, r.Header.Get("Content-Type"))
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		if c.tries++; c.tries <= c.refuse {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		c.text.WriteString(prototext.Format(&batch))
		for _, resource := range batch.ResourceSpans {
			for _, scope := range resource.ScopeSpans {
				c.received = append(c.received, scope.Spans...)
			}
		}
		answer, _ := proto.Marshal(&collector.ExportTraceServiceResponse{})
		w.Header().Set("Content-Type", "application/x-protobuf")
		_, _ = w.Write(answer)
	}))
	t.Cleanup(c.Close)
	return c
}

// spans returns those of a kind, in the order in which they began.
func (c *receiver) spans(kind tracepb.Span_SpanKind) (spans []*tracepb.Span) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, s := range c.received {
		if s.Kind == kind {
			spans = append(spans, s)
		}
	}
	slices.SortFunc(spans, func(a, b *tracepb.Span) int { return int(a.StartTimeUnixNano) - int(b.StartTimeUnixNano) })
	return spans
}

// attributes of a span, as text.
func attributes(s *tracepb.Span) map[string]string {
	all := map[string]string{}
	for _, a := range s.Attributes {
		all[a.Key] = strings.Trim(strings.SplitN(a.Value.String(), ":", 2)[1], `"`)
	}
	return all
}

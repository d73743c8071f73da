package tracing_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/internal/programtest"
	"records/internal/server"
	"records/internal/tracing"
)

func newRequest() *http.Request { return httptest.NewRequest(http.MethodGet, "/", nil) }

// What the collector does not take now is sent again.
func TestCollectorThatIsBusy(t *testing.T) {
	t.Parallel()
	c := newReceiver(t)
	c.refuse = 2
	s, stop := traced(t, dbtest.Open(t, dialect.SQLite), c.URL, 1, slog.New(slog.DiscardHandler))
	s.NewClient(t).Do("GET", "/tasks", nil)
	stop()
	if n := len(c.spans(ofServer)); n != 1 || c.tries != 3 {
		t.Errorf("%d requests after %d tries", n, c.tries)
	}
}

// A collector that is away or hangs costs no request anything, and the stop no longer
// than it may take. The log says it once, without a password.
func TestCollectorThatIsAway(t *testing.T) {
	t.Parallel()
	hung := make(chan struct{})
	hangs := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hung }))
	defer hangs.Close()
	defer close(hung)
	for what, endpoint := range map[string]string{
		"away":  "http://user:s3cret@127.0.0.1:1",
		"hangs": strings.Replace(hangs.URL, "http://", "http://user:s3cret@", 1),
	} {
		var log programtest.Output
		traces, err := tracing.New(tracing.Options{Endpoint: endpoint, Ratio: 1, Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		for range 5000 { // more than wait to be sent
			_, ended := traces.Request(newRequest())
			ended(server.Answer{})
		}
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		began := time.Now()
		_ = traces.Stop(ctx)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: stopping took %s", what, took)
		}
		for what == "away" && log.String() == "" && time.Since(began) < 30*time.Second {
			time.Sleep(time.Millisecond)
		}
		if strings.Contains(log.String(), "s3cret") || strings.Count(log.String(), "\n") > 1 || what == "away" && log.String() == "" {
			t.Errorf("%s: the log is %s", what, log.String())
		}
	}
}

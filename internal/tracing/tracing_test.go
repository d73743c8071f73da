package tracing_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"log/slog"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"records/ent"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
	"records/internal/tracing"
)

const (
	ofServer   = tracepb.Span_SPAN_KIND_SERVER
	ofDatabase = tracepb.Span_SPAN_KIND_CLIENT
)

// traced starts a server whose traces go to an endpoint, and returns what sends those
// that are left.
func traced(t *testing.T, db *database.DB, endpoint string, ratio float64, log *slog.Logger) (*servertest.Server, func()) {
	t.Helper()
	traces, err := tracing.New(tracing.Options{Endpoint: endpoint, Ratio: ratio, Version: "v1.2.3", Log: log})
	if err != nil {
		t.Fatal(err)
	}
	s := servertest.Start(t, db, func(o *server.Options) {
		o.Trace = traces.Request
		o.Client = ent.NewClient(ent.Driver(traces.Driver(db.Driver())))
	})
	return s, func() {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if err := traces.Stop(ctx); err != nil {
			t.Log(err)
		}
	}
}

// A request is a span, and what it asks of the database are its children. None of them
// says what the client sent.
func TestSpans(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		c := newReceiver(t)
		s, stop := traced(t, db, c.URL, 1, slog.New(slog.DiscardHandler))
		client := s.NewClient(t)
		id := client.Create("tasks", map[string]any{"name": "canary-body"})
		client.Do("GET", "/tasks?limit=200", nil, "X-Request-Id", "my-own-id")
		client.Do("PATCH", "/tasks/"+id, `{"description":"canary-patch"}`)
		client.Do("GET", "/tasks/canary-path", nil)
		client.Do("GET", "/nothing?canary=query", nil)
		stop()

		requests, statements := c.spans(ofServer), c.spans(ofDatabase)
		system := map[string]string{dialect.Postgres: "postgresql", dialect.SQLite: "sqlite"}[db.Dialect()]
		want := []struct{ name, route, method, status, statement string }{
			{"POST /api/v1/tasks", "/api/v1/tasks", "POST", "201", "INSERT tasks"},
			{"GET /api/v1/tasks", "/api/v1/tasks", "GET", "200", "SELECT tasks"},
			{"PATCH /api/v1/tasks/:id", "/api/v1/tasks/:id", "PATCH", "200", "UPDATE tasks"},
			{"GET /api/v1/tasks/:id", "/api/v1/tasks/:id", "GET", "404", ""},
			{"GET none", "none", "GET", "404", ""},
		}
		if len(requests) != len(want) || len(statements) != 3 {
			t.Fatalf("%d requests, %d statements:\n%s", len(requests), len(statements), c.text.String())
		}
		for i, w := range want {
			r := requests[i]
			a := attributes(r)
			if r.Name != w.name || a["http.route"] != w.route || a["http.request.method"] != w.method || a["http.response.status_code"] != w.status ||
				len(a["request.id"]) < 9 || len(r.ParentSpanId) != 0 || r.Status.GetCode() != tracepb.Status_STATUS_CODE_UNSET {
				t.Errorf("request %d is %v", i, r)
			}
			if w.statement == "" {
				continue
			}
			q := statements[i]
			operation, table, _ := strings.Cut(w.statement, " ")
			if a := attributes(q); q.Name != w.statement || !bytes.Equal(q.ParentSpanId, r.SpanId) || !bytes.Equal(q.TraceId, r.TraceId) ||
				a["db.system.name"] != system || a["db.operation.name"] != operation || a["db.collection.name"] != table {
				t.Errorf("statement %d is %v", i, q)
			}
		}
		if attributes(requests[1])["request.id"] != "my-own-id" {
			t.Errorf("the request's id: %v", requests[1])
		}
		for _, secret := range []string{client.Token, client.Token[4:], "canary", "limit", id, "workspace_id"} {
			if strings.Contains(c.text.String(), secret) {
				t.Errorf("a span tells %q:\n%s", secret, c.text.String())
			}
		}
		if !strings.Contains(c.text.String(), `"records"`) || !strings.Contains(c.text.String(), `"v1.2.3"`) {
			t.Errorf("no service in\n%s", c.text.String())
		}
	})
}

// A caller that traces has its trace go on here, whatever the ratio; one that says not
// to is not traced. Others are by the ratio.
func TestIncomingTraces(t *testing.T) {
	t.Parallel()
	c := newReceiver(t)
	s, stop := traced(t, dbtest.Open(t, dialect.SQLite), c.URL, 0, slog.New(slog.DiscardHandler))
	client := s.NewClient(t)
	const trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	for _, header := range []string{"", "00-" + trace + "-" + parent + "-00", "nonsense", "00-" + trace + "-" + parent + "-01"} {
		client.Do("GET", "/tasks", nil, "Traceparent", header)
	}
	stop()
	requests, statements := c.spans(ofServer), c.spans(ofDatabase)
	if len(requests) != 1 || len(statements) != 1 {
		t.Fatalf("%d requests, %d statements", len(requests), len(statements))
	}
	if r := requests[0]; hex.EncodeToString(r.TraceId) != trace || hex.EncodeToString(r.ParentSpanId) != parent {
		t.Errorf("the request is %v", r)
	}
}

// What fails is told by its kind, and not in the database's words.
func TestFailures(t *testing.T) {
	t.Parallel()
	c := newReceiver(t)
	proxy := dbtest.NewProxy(t, dbtest.URL(t, dialect.Postgres))
	s, stop := traced(t, dbtest.OpenURL(t, proxy.URL()), c.URL, 1, slog.New(slog.DiscardHandler))
	client := s.NewClient(t)
	client.Do("GET", "/tasks", nil)
	client.Do("POST", "/tasks", `{"name":"a","project_id":"`+client.ID.String()+`"}`)
	proxy.Refuse()
	client.Do("GET", "/tasks", nil)
	stop()
	requests, statements := c.spans(ofServer), c.spans(ofDatabase)
	if len(requests) != 3 || len(statements) != 4 {
		t.Fatalf("%d requests, %d statements:\n%s", len(requests), len(statements), c.text.String())
	}
	if last := requests[2]; last.Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR {
		t.Errorf("the last request is %v", last)
	}
	for i, want := range map[int]string{1: "refused", 3: "unreachable"} {
		if q := statements[i]; attributes(q)["error.type"] != want || q.Status.GetCode() != tracepb.Status_STATUS_CODE_ERROR || q.Status.Message != "" {
			t.Errorf("statement %d is %v, want %s", i, q, want)
		}
	}
	if strings.Contains(c.text.String(), "violates") || strings.Contains(c.text.String(), "127.0.0.1") {
		t.Errorf("the database's words:\n%s", c.text.String())
	}
}

// A transaction's statements are followed to its commit.
func TestTransactions(t *testing.T) {
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		c := newReceiver(t)
		traces, err := tracing.New(tracing.Options{Endpoint: c.URL, Ratio: 1, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		drv := traces.Driver(db.Driver())
		ctx, ended := traces.Request(newRequest())
		for _, begin := range []func(context.Context) (dialect.Tx, error){drv.Tx, func(ctx context.Context) (dialect.Tx, error) {
			return drv.(interface {
				BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
			}).BeginTx(ctx, nil)
		}} {
			tx, err := begin(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if err := tx.Exec(ctx, `DELETE FROM "tasks"`, []any{}, nil); err != nil {
				t.Error(err)
			}
			if err := tx.Commit(); err != nil {
				t.Error(err)
			}
		}
		ended(server.Answer{})
		if err := traces.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		var names []string
		for _, s := range c.spans(ofDatabase) {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, ", "); got != "BEGIN, DELETE tasks, COMMIT, BEGIN, DELETE tasks, COMMIT" {
			t.Error(got)
		}
	})
}

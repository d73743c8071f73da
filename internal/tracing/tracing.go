// Package tracing follows requests, and what they ask of the database, by
// OpenTelemetry. It tells routes, statuses and tables, and nothing that a client sent
// but its request id and its trace.
package tracing

import (
	"context"
	"log/slog"
	"net/http"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"records/internal/server"
)

// Options are where traces go, and which.
type Options struct {
	Endpoint string  // of a collector: http://… or https://…, without /v1/traces
	Ratio    float64 // the part of the requests that is traced, where no caller has decided
	Version  string  // of the program
	Log      *slog.Logger
}

// Traces sends spans to a collector. It is safe for concurrent use.
type Traces struct {
	provider *sdk.TracerProvider
	tracer   trace.Tracer
	incoming propagation.TraceContext
}

// New returns traces to a collector, which need not be there: spans that it does not
// take are lost, and no request waits for it.
func New(o Options) (*Traces, error) {
	exporter, err := otlptrace.New(context.Background(), newCollector(o.Endpoint, o.Log))
	if err != nil {
		return nil, err
	}
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(error) {})) // the collector says it once, not each time
	provider := sdk.NewTracerProvider(
		sdk.WithBatcher(exporter, sdk.WithExportTimeout(exportTimeout)),
		sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(o.Ratio))),
		sdk.WithResource(resource.NewSchemaless(semconv.ServiceName("records"), semconv.ServiceVersion(o.Version))),
	)
	return &Traces{provider: provider, tracer: provider.Tracer("records")}, nil
}

// Request is the server's: it follows a request, as a part of its caller's trace if
// that says so.
func (t *Traces) Request(r *http.Request) (context.Context, func(server.Answer)) {
	ctx := t.incoming.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
	ctx, span := t.tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer))
	return ctx, func(a server.Answer) {
		if span.IsRecording() {
			span.SetName(a.Method + " " + a.Route)
			span.SetAttributes(
				semconv.HTTPRequestMethodKey.String(a.Method),
				semconv.HTTPRoute(a.Route),
				semconv.HTTPResponseStatusCode(a.Status),
				attribute.String("request.id", a.RequestID),
			)
			if a.Status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, "")
			}
		}
		span.End()
	}
}

// Stop sends what is left, until the context ends.
func (t *Traces) Stop(ctx context.Context) error { return t.provider.Shutdown(ctx) }

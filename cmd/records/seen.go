package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"records/ent"
	"records/internal/metrics"
	"records/internal/server"
	"records/internal/tracing"
)

// lastSpansTimeout bounds the sending of the last spans.
const lastSpansTimeout = 2 * time.Second

// seen is what shows the server to its operator. What is not set is nil.
type seen struct {
	metrics  *metrics.Metrics
	listener net.Listener // of the metrics
	traces   *tracing.Traces
	log      *slog.Logger
}

// openSeen opens what the settings ask for.
func (a *app) openSeen() (*seen, error) {
	s := &seen{log: a.log}
	if a.config.Trace.Endpoint != "" {
		traces, err := tracing.New(tracing.Options{
			Endpoint: a.config.Trace.Endpoint, Ratio: a.config.Trace.Ratio, Version: version(), Log: a.log,
		})
		if err != nil {
			return nil, fmt.Errorf("trace.endpoint: %w", err)
		}
		s.traces = traces
		a.client = ent.NewClient(ent.Driver(traces.Driver(a.db.Driver())))
	}
	if a.config.Metrics.Addr == "" {
		return s, nil
	}
	listener, err := net.Listen("tcp", a.config.Metrics.Addr)
	if err != nil {
		return nil, fmt.Errorf("metrics.addr: %w", err)
	}
	s.listener, s.metrics = listener, metrics.New(version(), a.db.Pools())
	return s, nil
}

// options adds what looks at the server to what it is made of.
func (s *seen) options(o server.Options) server.Options {
	if s.metrics != nil {
		o.Observe = s.metrics.Observe
	}
	if s.traces != nil {
		o.Trace = s.traces.Request
	}
	return o
}

// serve shows a server until the context ends, and sends the last spans.
func (s *seen) serve(ctx context.Context, of *server.Server) {
	if s.metrics != nil {
		served := make(chan struct{})
		defer func() { <-served }()
		go func() {
			defer close(served)
			if err := server.ServeBeside(ctx, s.listener, s.metrics.Handler(of), s.log); err != nil {
				s.log.Error("the metrics are no longer served", "error", err.Error())
			}
		}()
	}
	<-ctx.Done()
	if s.traces != nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastSpansTimeout)
		defer cancel()
		_ = s.traces.Stop(ctx) // that the collector is away has been logged
	}
}

package tracing

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync/atomic"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

const (
	// exportTimeout bounds the sending of one batch, all tries together.
	exportTimeout = 5 * time.Second
	// tryAgain is the pause before the second try, and doubles.
	tryAgain = 500 * time.Millisecond
)

// collector sends batches by OTLP over HTTP
// (https://opentelemetry.io/docs/specs/otlp/#otlphttp). OpenTelemetry's own client for
// it links all of gRPC, which takes 6 MB of memory from everyone who traces nothing.
type collector struct {
	url     string
	client  http.Client
	log     *slog.Logger
	failing atomic.Bool
}

func newCollector(endpoint string, log *slog.Logger) *collector {
	return &collector{url: endpoint + "/v1/traces", log: log, client: http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // spans go where they were told to
		Transport:     &http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConns: 2, IdleConnTimeout: time.Minute},
	}}
}

// Start implements otlptrace.Client.
func (*collector) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *collector) Stop(context.Context) error {
	c.client.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. It logs when the collector goes away, and
// when it is back.
func (c *collector) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	// On the wire it is an ExportTraceServiceRequest, whose package links gRPC.
	batch, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans})
	if err != nil {
		return err
	}
	err = c.send(ctx, batch)
	if failed := err != nil; c.failing.Swap(failed) != failed {
		if failed {
			c.log.Warn("the collector of traces does not take them: they are lost", "error", err.Error())
		} else {
			c.log.Info("the collector of traces is back")
		}
	}
	return err
}

// send tries again what may be taken later.
func (c *collector) send(ctx context.Context, batch []byte) error {
	for pause := tryAgain; ; pause *= 2 {
		again, err := c.post(ctx, batch)
		if err == nil || !again {
			return err
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}

// post sends a batch once. It reports whether one that was not taken may be sent again.
func (c *collector) post(ctx context.Context, batch []byte) (again bool, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.url, bytes.NewReader(batch))
	if err != nil {
		return false, err
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	answer, err := c.client.Do(r)
	if err != nil {
		return true, errors.Unwrap(err) // without the URL, which can hold a password
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10)) // so that the connection serves again
	switch answer.StatusCode {
	case http.StatusOK, http.StatusAccepted, http.StatusNoContent:
		return false, nil
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		again = true
	}
	return again, fmt.Errorf("the answer is %s", answer.Status)
}

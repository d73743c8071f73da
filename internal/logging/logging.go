// Package logging makes the program's log: lines of text or JSON on one writer.
//
// The line of each request costs more to write than to make, so that those are
// written together, every flushEvery. Whatever else is logged, all errors among
// it, is written at once, with the lines before it: a crash can cost the last
// moments' lines of requests that went well or were shed, and no other.
//
// Who reads the log may stall, as a full pipe does. No request waits for that, and
// nothing else for longer than patience; lines past what is kept are lost, and counted.
package logging

import (
	"context"
	"io"
	"log/slog"
	"time"

	"records/config"
)

// Request is the message of a request's line.
const Request = "request"

const (
	flushEvery = 100 * time.Millisecond
	flushFrom  = 32 << 10 // bytes
	most       = 1 << 20  // bytes that wait
	patience   = 100 * time.Millisecond
)

// New returns a log, and what writes the lines that are still waiting.
func New(to io.Writer, c config.Log) (log *slog.Logger, flush func()) {
	lines := &buffer{to: to}
	options := &slog.HandlerOptions{Level: c.Level}
	var h slog.Handler = slog.NewTextHandler(lines, options)
	if c.Format == "json" {
		h = slog.NewJSONHandler(lines, options)
	}
	lines.log = slog.New(h)
	return slog.New(handler{h, lines}), lines.flush
}

// handler writes the lines that do not wait.
type handler struct {
	slog.Handler
	lines *buffer
}

func (h handler) Handle(ctx context.Context, r slog.Record) error {
	err := h.Handler.Handle(ctx, r)
	if r.Message != Request || r.Level >= slog.LevelError {
		h.lines.flush()
	}
	return err
}

func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.Handler.WithAttrs(attrs), h.lines}
}

func (h handler) WithGroup(name string) slog.Handler {
	return handler{h.Handler.WithGroup(name), h.lines}
}

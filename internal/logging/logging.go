// Package logging makes the program's log: lines of text or JSON on one writer.
//
// The line of each request costs more to write than to make, so that those are
// written together, every flushEvery. Whatever else is logged, all errors among
// it, is written at once, with the lines before it: a crash can cost the last
// moments' lines of requests that went well or were shed, and no other.
package logging

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"time"

	"records/config"
)

// Request is the message of a request's line.
const Request = "request"

const (
	flushEvery = 100 * time.Millisecond
	flushFrom  = 32 << 10 // bytes
)

// New returns a log, and what writes the lines that are still waiting.
func New(to io.Writer, c config.Log) (log *slog.Logger, flush func()) {
	lines := &buffer{to: to}
	options := &slog.HandlerOptions{Level: c.Level}
	var h slog.Handler = slog.NewTextHandler(lines, options)
	if c.Format == "json" {
		h = slog.NewJSONHandler(lines, options)
	}
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

// buffer keeps lines for a moment.
type buffer struct {
	to    io.Writer
	mu    sync.Mutex
	lines []byte
}

func (b *buffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines) == 0 {
		time.AfterFunc(flushEvery, b.flush)
	}
	b.lines = append(b.lines, line...)
	if len(b.lines) >= flushFrom {
		b.write()
	}
	return len(line), nil
}

func (b *buffer) flush() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.write()
}

func (b *buffer) write() {
	if len(b.lines) == 0 {
		return
	}
	_, _ = b.to.Write(b.lines) // standard error is gone: nobody is left to tell
	b.lines = b.lines[:0]
}

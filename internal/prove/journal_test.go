package prove

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"records/internal/logging"
)

// journal is the server's log. It tells when a request has ended whose client went
// away, and looks for what must not be in a log.
type journal struct {
	mu      sync.Mutex
	waiting map[string]chan string // by request id: its line
	fault   string                 // a line with a canary or a token in it
	failure string                 // the last line of a fault of ours
}

func newJournal() *journal { return &journal{waiting: map[string]chan string{}} }

// expect returns where the line of a request will come.
func (j *journal) expect(requestID string) chan string {
	j.mu.Lock()
	defer j.mu.Unlock()
	line := make(chan string, 1)
	j.waiting[requestID] = line
	return line
}

// Enabled implements slog.Handler.
func (j *journal) Enabled(context.Context, slog.Level) bool { return true }

// WithAttrs implements slog.Handler.
func (j *journal) WithAttrs([]slog.Attr) slog.Handler { return j }

// WithGroup implements slog.Handler.
func (j *journal) WithGroup(string) slog.Handler { return j }

// lastFailure is the last line that was logged as an error, "" if none was.
func (j *journal) lastFailure() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.failure
}

// Handle implements slog.Handler.
func (j *journal) Handle(_ context.Context, r slog.Record) error {
	var line strings.Builder
	requestID := ""
	fmt.Fprint(&line, r.Level, " ", r.Message)
	r.Attrs(func(a slog.Attr) bool {
		fmt.Fprint(&line, " ", a)
		if a.Key == "request_id" {
			requestID = a.Value.String()
		}
		return true
	})
	j.mu.Lock()
	defer j.mu.Unlock()
	if text := line.String(); strings.Contains(text, canaryMark) || strings.Contains(text, "wrk_") {
		j.fault = text
	}
	if r.Level >= slog.LevelError {
		j.failure = line.String()
	}
	if to := j.waiting[requestID]; r.Message == logging.Request && to != nil {
		delete(j.waiting, requestID)
		to <- line.String()
	}
	return nil
}

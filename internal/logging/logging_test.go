package logging

import (
	"encoding/json"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"records/config"
)

// written counts how often it is written to.
type written struct {
	mu    sync.Mutex
	text  strings.Builder
	times int
}

func (w *written) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(p) > 0 {
		w.times++
	}
	return w.text.Write(p)
}

func (w *written) seen() (text string, times int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String(), w.times
}

// Lines of requests are written together, a moment later.
func TestRequestsAreWrittenTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to written
		log, _ := New(&to, config.Log{Format: "json"})
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() { log.With("a", 1).Info(Request, "i", i) })
		}
		all.Wait()
		if _, times := to.seen(); times != 0 {
			t.Errorf("%d writes at once", times)
		}
		time.Sleep(flushEvery + 1)
		synctest.Wait()
		text, times := to.seen()
		if lines := strings.Count(text, "\n"); times != 1 || lines != 50 {
			t.Errorf("%d lines in %d writes", lines, times)
		}
		for line := range strings.Lines(text) {
			if !json.Valid([]byte(line)) {
				t.Errorf("no JSON: %q", line)
			}
		}
		log.Info(Request)
		time.Sleep(flushEvery + 1)
		synctest.Wait()
		if _, times := to.seen(); times != 2 {
			t.Errorf("%d writes, with one more line", times)
		}
	})
}

// All else is written at once, behind what came before it.
func TestOthersAreWrittenAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to written
		log, flush := New(&to, config.Log{Format: "text", Level: slog.LevelInfo})
		want := ""
		for _, step := range []struct {
			log  func()
			line string
		}{
			{func() { log.Error(Request, "n", 1) }, "level=ERROR msg=request n=1\n"},
			{func() { log.Warn("stopping", "n", 2) }, "level=WARN msg=stopping n=2\n"},
			{func() { log.Warn(Request, "n", 6); flush() }, "level=WARN msg=request n=6\n"},
			{func() { log.Info("migrated", "n", 3) }, "level=INFO msg=migrated n=3\n"},
			{func() { log.With("n", 4).Info("stopping") }, "level=INFO msg=stopping n=4\n"},
			{func() { log.WithGroup("g").Info("stopping", "n", 5) }, "level=INFO msg=stopping g.n=5\n"},
			{func() { log.Debug("stopping") }, ""},
			{flush, ""},
		} {
			log.Info(Request)
			step.log()
			if want += "level=INFO msg=request\n" + step.line; step.line == "" {
				flush()
			}
			var got strings.Builder
			text, _ := to.seen()
			for line := range strings.Lines(text) {
				_, rest, _ := strings.Cut(line, " ") // the time
				got.WriteString(rest)
			}
			if got.String() != want {
				t.Fatalf("%q, want %q", got.String(), want)
			}
		}
	})
}

// Many lines do not wait for their time.
func TestManyLinesAreWrittenSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var to written
		log, _ := New(&to, config.Log{Format: "text"})
		for range 1000 {
			log.Info(Request, "text", strings.Repeat("x", 100))
		}
		synctest.Wait()
		if text, times := to.seen(); times > 6 || len(text) < 2*flushFrom {
			t.Errorf("%d bytes in %d writes", len(text), times)
		}
		time.Sleep(flushEvery + 1)
		synctest.Wait()
		if text, _ := to.seen(); strings.Count(text, "\n") != 1000 {
			t.Errorf("%d lines", strings.Count(text, "\n"))
		}
	})
}

package logging

import (
	"log/slog"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"records/config"
)

// stalled takes nothing until it is let go.
type stalled struct {
	written
	letGo chan struct{}
}

func (s *stalled) Write(p []byte) (int, error) {
	<-s.letGo
	return s.written.Write(p)
}

// Nobody waits for a reader of the log who stalls: no request at all, nothing else for
// long. What is kept is bounded, and what is lost is counted.
func TestReaderWhoStalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		to := stalled{letGo: make(chan struct{})}
		log, flush := New(&to, config.Log{Format: "text", Level: slog.LevelInfo})
		began := time.Now()
		const lines = 30_000
		for i := range lines {
			log.Info(Request, "n", i, "text", strings.Repeat("x", 100))
		}
		if waited := time.Since(began); waited != 0 {
			t.Errorf("requests waited %s", waited)
		}
		log.Error(Request, "n", lines)
		log.Info("stopping")
		flush()
		if waited := time.Since(began); waited != 3*patience {
			t.Errorf("the others waited %s", waited)
		}
		close(to.letGo)
		synctest.Wait()
		log.Info("goes on")

		text, _ := to.seen()
		if len(text) > 3*most {
			t.Errorf("%d bytes were kept", len(text))
		}
		next, kept, lost := 0, 0, 0
		for line := range strings.Lines(text) {
			for _, word := range strings.Fields(line) {
				name, value, _ := strings.Cut(word, "=")
				switch n, _ := strconv.Atoi(value); {
				case name == "lines":
					lost += n
				case name == "n" && n < next:
					t.Fatalf("line %d is not behind %d", n, next)
				case name == "n":
					next, kept = n+1, kept+1
				}
			}
		}
		if kept += strings.Count(text, "msg=stopping"); kept == 0 || lost == 0 || kept+lost != lines+2 {
			t.Errorf("%d kept and %d lost of %d", kept, lost, lines+2)
		}
		if !strings.HasSuffix(text, "msg=\"goes on\"\n") || strings.Count(text, " lines=") != 1 {
			t.Errorf("the end: %q", text[max(0, len(text)-500):])
		}
	})
}

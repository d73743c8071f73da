package logging

import (
	"io"
	"log/slog"
	"sync"
	"time"
)

// buffer keeps lines for a moment. One goroutine at a time writes them, so that
// nobody else has to wait for who reads them.
type buffer struct {
	to      io.Writer
	log     *slog.Logger // of what the buffer itself has to say, onto itself
	mu      sync.Mutex
	lines   []byte
	spare   []byte        // room for lines while others are written
	lost    int           // lines for which there was no room
	asked   bool          // what waits is to be written now
	writing chan struct{} // closed when that is done; nil: nobody writes
}

// Write implements io.Writer. It takes one whole line, as slog's handlers write them.
func (b *buffer) Write(line []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.lines)+len(line) > most {
		b.lost++
		return len(line), nil
	}
	if len(b.lines) == 0 {
		time.AfterFunc(flushEvery, func() { b.begin() })
	}
	b.lines = append(b.lines, line...)
	if len(b.lines) >= flushFrom {
		b.start()
	}
	return len(line), nil
}

// flush has what waits written, and waits for it, but no longer than patience.
func (b *buffer) flush() {
	select {
	case <-b.begin():
	case <-time.After(patience):
	}
}

// begin has what waits written, and returns what is closed when it is.
func (b *buffer) begin() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.start()
}

func (b *buffer) start() <-chan struct{} {
	b.asked = true
	if b.writing == nil {
		b.writing = make(chan struct{})
		go b.write()
	}
	return b.writing
}

// write writes what waits, for as long as somebody asks for it.
func (b *buffer) write() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.asked {
		lines, lost := b.lines, b.lost
		b.lines, b.spare, b.lost, b.asked = b.spare[:0], nil, 0, false
		b.mu.Unlock()
		if len(lines) > 0 {
			_, _ = b.to.Write(lines) // where the log cannot be written, nobody can be told
		}
		if lost > 0 {
			b.log.Error("lines of the log are lost, for they were not taken in time", "lines", lost)
		}
		b.mu.Lock()
		if cap(lines) <= 2*flushFrom {
			b.spare = lines
		}
	}
	close(b.writing)
	b.writing = nil
}

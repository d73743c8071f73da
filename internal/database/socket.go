package database

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// grace is how long a server is listened to after a context has ended. Within it
// the answer to a cancel request arrives, which tells for certain that the
// statement had no effect. After it the socket fails, and the connection is lost.
const grace = 500 * time.Millisecond

// socket is the network connection under lib/pq, under TLS too. lib/pq reads for
// ever when a server stops answering and does not tell whether it sent anything;
// socket ends with its context and counts.
type socket struct {
	net.Conn
	written atomic.Int64
	failed  atomic.Bool

	mu     sync.Mutex
	ending bool // the deadline stands for good
}

// Write counts the bytes that left, those of a failed write included.
func (s *socket) Write(b []byte) (int, error) {
	n, err := s.Conn.Write(b)
	s.written.Add(int64(n))
	if err != nil {
		s.failed.Store(true)
	}
	return n, err
}

func (s *socket) Read(b []byte) (int, error) {
	n, err := s.Conn.Read(b)
	if err != nil {
		s.failed.Store(true)
	}
	return n, err
}

// expire lets the socket fail once the grace is over, whatever lib/pq or TLS
// says afterwards. There is no way back.
func (s *socket) expire() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return
	}
	s.ending = true
	_ = s.Conn.SetDeadline(time.Now().Add(grace))
}

// SetDeadline is how lib/pq bounds the connecting.
func (s *socket) SetDeadline(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return nil
	}
	return s.Conn.SetDeadline(t)
}

// SetWriteDeadline is how TLS bounds its closing message.
func (s *socket) SetWriteDeadline(t time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending {
		return nil
	}
	return s.Conn.SetWriteDeadline(t)
}

// usable reports whether the socket has neither failed nor been told to end.
func (s *socket) usable() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.ending && !s.failed.Load()
}

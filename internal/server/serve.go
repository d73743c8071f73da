package server

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// Bounds of a connection (the product's decisions, "When things fail").
const (
	writeTimeout = 75 * time.Second // body, database and a slow reader
	bodyTimeout  = 30 * time.Second
	idleTimeout  = 120 * time.Second
	maxHeader    = 64 << 10
	headerSlack  = 4 << 10 // what net/http adds to MaxHeaderBytes
	compressFrom = 1<<10 + 1
	leftover     = 500 * time.Millisecond // for the rest of a body that nobody reads
	mostLeftover = 256 << 10              // bytes of it, as net/http has it
)

// LongestAnswer is how long after its header a request must be answered, and
// LongestRequest how long it may take at the database, for the answer to be on its
// way by then however slowly the body came.
const (
	LongestAnswer  = writeTimeout
	LongestRequest = writeTimeout - bodyTimeout
)

// bounds are how long the server waits for its clients.
type bounds struct {
	header, body time.Duration
	stop         time.Duration // from the signal to the end, the drain delay included
}

var defaultBounds = bounds{header: 10 * time.Second, body: bodyTimeout, stop: 28 * time.Second}

// wrap puts around the router what must come before it.
func (s *Server) wrap(router http.Handler) (http.Handler, error) {
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom))
	if err != nil {
		return nil, err
	}
	return s.farewell(s.bodyDeadline(trimSlash(compressed(compress, router)))), nil
}

// compressed compresses answers. gzhttp passes HEAD over, whose headers are to be
// those of GET: it is shown a GET, and the router the HEAD that it is. And it reads
// the first line alone of what is one list on several (RFC 9110, section 5.3).
func compressed(compress func(http.Handler) http.HandlerFunc, router http.Handler) http.Handler {
	other := compress(router)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if lines := r.Header.Values("Accept-Encoding"); len(lines) > 1 {
			r.Header.Set("Accept-Encoding", strings.Join(lines, ", "))
		}
		if r.Method != http.MethodHead {
			other(w, r)
			return
		}
		get := *r
		get.Method = http.MethodGet
		compress(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { router.ServeHTTP(w, r) }))(w, &get)
	})
}

// farewell ends each connection with its next answer once the server is told to
// stop. Idle ones stay until the listener closes: cutting them off at once would
// cost a request that is on its way.
//
// A body in chunks is the last on its connection. Where it has a length beside, a
// proxy may have gone by that, and what is left is another client's or nobody's; so
// RFC 9112 (section 6.1) wants it, and net/http does not tell such a request from others.
func (s *Server) farewell(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.draining.Load() || len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// bodyDeadline closes a connection whose body is too slow. net/http reads the
// rest of a body before it sends the answer, so that a refusal would otherwise
// wait for a slow client to finish. Where there is no rest, it reads ahead to see
// the client go: it would take the end of that wait for it, and give up all further
// requests of the connection.
func (s *Server) bodyDeadline(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 {
			next.ServeHTTP(w, r)
			return
		}
		connection := http.NewResponseController(w) // a recorder in a test has none
		if r.Method == http.MethodGet || r.Method == http.MethodHead {
			skipBody(connection, w.Header(), r.Body)
			next.ServeHTTP(w, r)
			return
		}
		_ = connection.SetReadDeadline(time.Now().Add(s.bounds.body))
		body := &untilEnd{ReadCloser: r.Body}
		wrapped := *r // net/http judges by the body that it made whether it can go on
		wrapped.Body = body
		if next.ServeHTTP(w, &wrapped); !body.ended {
			_ = connection.SetReadDeadline(time.Now().Add(leftover))
		}
	})
}

// skipBody takes a body away that nobody reads, so that the connection can go on. net/http
// would wait for it with the answer, for as long as a body has, where that is a long one. A
// body that has not come at once, or is large, costs the connection.
func skipBody(connection *http.ResponseController, answer http.Header, body io.Reader) {
	_ = connection.SetReadDeadline(time.Now().Add(leftover))
	if _, err := io.CopyN(io.Discard, body, mostLeftover); !errors.Is(err, io.EOF) { // whose end lifts the deadline
		answer.Set("Connection", "close")
	}
}

// untilEnd is a body that knows whether all of it was read.
type untilEnd struct {
	io.ReadCloser
	ended bool
}

func (b *untilEnd) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.ended = b.ended || errors.Is(err, io.EOF)
	return n, err
}

// Serve answers on the listener until the context ends. Then readiness fails
// first; after the drain delay the listener closes and requests in flight
// finish. It returns within 30 seconds, even when clients hang.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	h := newHTTPServer(s.connections, listener, s, s.Log, s.bounds.header, writeTimeout)
	failed := make(chan error, 1)
	go func() { failed <- h.Serve(s.connections) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	s.Log.Info("stopping", "drain_delay", s.DrainDelay)
	s.draining.Store(true)
	time.Sleep(s.DrainDelay)
	return s.stop(h)
}

// stop lets requests finish, and cuts off those that do not.
func (s *Server) stop(h *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.bounds.stop-s.DrainDelay)
	defer cancel()
	err := h.Shutdown(ctx)
	if errors.Is(err, context.DeadlineExceeded) {
		s.Log.Warn("cutting off clients that hang")
		return h.Close()
	}
	return err
}

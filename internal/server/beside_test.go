package server_test

import (
	"bufio"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"records/internal/server"
)

// The listener for the operator is bounded as the API's is: one connection too many is
// answered and closed, a header that comes slowly or never is not waited for, one that
// is too large is refused; and then all is well again.
func TestServeBesideIsBounded(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	fine := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "fine") })
	go func() { served <- server.ServeBeside(ctx, listener, fine, slog.New(slog.DiscardHandler)) }()

	const question = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
	connect := func(send string) net.Conn {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(30 * time.Second))
		if _, err := io.WriteString(conn, send); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	answer := func(conn net.Conn) int {
		r, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Errorf("no answer: %v", err)
			return 0
		}
		_, _ = io.Copy(io.Discard, r.Body)
		return r.StatusCode
	}
	if got := answer(connect("GET / HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 100<<10))); got != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 100 KiB: %d", got)
	}
	until(t, "room for all", func() bool { return answer(connect(question)) == 200 })

	var slow []net.Conn
	for len(slow) < server.BesideConnections { // those from above may be there still
		conn := connect("GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")
		_ = conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if _, err := conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			slow = append(slow, conn) // it was let in
			continue
		}
		break
	}
	if got := answer(connect(question)); got != http.StatusServiceUnavailable {
		t.Errorf("one connection too many: %d", got)
	}
	for _, conn := range slow {
		_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		if _, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal("a slow header is waited for")
		}
	}
	if got := answer(connect(question)); got != 200 {
		t.Errorf("afterwards: %d", got)
	}
	cancel()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

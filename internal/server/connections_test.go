package server_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
)

// dialFrom connects to a service from an address of this machine.
func dialFrom(t *testing.T, s service, from string) net.Conn {
	t.Helper()
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := d.DialContext(t.Context(), "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// askIfLive asks over a connection and returns the status, 0 if there was no answer.
func askIfLive(conn net.Conn) int {
	_, _ = io.WriteString(conn, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n")
	r, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return 0
	}
	_ = r.Body.Close()
	return r.StatusCode
}

// Idle connections make room, unless something is asked over them at that moment.
func TestRequestsOverConnectionsThatMakeRoom(t *testing.T) {
	t.Parallel()
	const most, others = 200, 150
	s := start(t, dbtest.Open(t, dialect.SQLite), func(o *server.Options) { o.MaxConnections = most })
	var conns []net.Conn
	for i := range most {
		conn := dialFrom(t, s, fmt.Sprintf("127.0.0.%d", 1+i%4))
		if status := askIfLive(conn); status != http.StatusOK {
			t.Fatalf("connection %d: %d", i, status)
		}
		conns = append(conns, conn)
	}
	time.Sleep(6 * time.Second)
	var wg sync.WaitGroup
	var created atomic.Int64
	for i, conn := range conns {
		wg.Go(func() {
			const body = `{"name":"a"}`
			request := fmt.Sprintf("POST /api/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
				s.write.Token, len(body), body)
			_, _ = io.WriteString(conn, request[:40]) // in two parts, as it may come
			_, _ = io.WriteString(conn, request[40:])
			_ = conn.SetReadDeadline(time.Now().Add(20 * time.Second))
			r, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil { // it had been ended before
				return
			}
			defer r.Body.Close()
			if r.StatusCode != http.StatusCreated {
				text, _ := io.ReadAll(r.Body)
				t.Errorf("connection %d: %d %s", i, r.StatusCode, text)
				return
			}
			created.Add(1)
		})
	}
	for i := range others {
		wg.Go(func() { _ = askIfLive(dialFrom(t, s, fmt.Sprintf("127.0.1.%d", 1+i))) })
	}
	wg.Wait()
	for _, conn := range conns {
		_ = conn.Close()
	}
	var page servertest.Response
	until(t, "there is room again", func() bool {
		page = s.write.Do(http.MethodGet, "/tasks?limit=1", nil)
		return page.Status == http.StatusOK
	})
	if total := fmt.Sprintf(`"count":%d`, created.Load()); created.Load() == 0 || !strings.Contains(string(page.Body), total) {
		t.Errorf("answered 201: %d, and the list says %s", created.Load(), page.Body)
	}
}

// An address that has its share and asks for more hides nobody's idle connections.
func TestOneAddressThatKnocks(t *testing.T) {
	t.Parallel()
	const most, newcomers = 140, 20
	s := start(t, dbtest.Open(t, dialect.SQLite), func(o *server.Options) { o.MaxConnections = most })
	for range most / 2 {
		busy := dialFrom(t, s, "127.0.0.1") // waits for a body
		_, _ = fmt.Fprintf(busy, "POST /api/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n", s.write.Token)
		if status := askIfLive(dialFrom(t, s, "127.0.0.2")); status != http.StatusOK {
			t.Fatal(status)
		}
	}
	time.Sleep(6 * time.Second)
	for i := range newcomers {
		if status := askIfLive(dialFrom(t, s, "127.0.0.1")); status != http.StatusServiceUnavailable {
			t.Errorf("one more of an address that has its share: %d", status)
		}
		if status := askIfLive(dialFrom(t, s, fmt.Sprintf("127.0.1.%d", 1+i))); status != http.StatusOK {
			t.Errorf("another's beside it: %d", status)
		}
	}
}

// One address has half of the connections at most, where these are many, and a newcomer
// takes the place of one that has been idle for seconds: its own, or anybody's.
func TestConnectionsOfOneAddress(t *testing.T) {
	t.Parallel()
	const most = 140
	s := start(t, dbtest.Open(t, dialect.SQLite), func(o *server.Options) { o.MaxConnections = most })
	ask := func(from string) (net.Conn, int) {
		conn := dialFrom(t, s, from)
		return conn, askIfLive(conn)
	}
	fill := func(from string) (conns []net.Conn) {
		for range most / 2 {
			conn, status := ask(from)
			if status != http.StatusOK {
				t.Fatalf("%s: connection %d: %d", from, len(conns), status)
			}
			conns = append(conns, conn)
		}
		return conns
	}
	first := fill("127.0.0.1")
	if _, status := ask("127.0.0.1"); status != http.StatusServiceUnavailable {
		t.Errorf("one more: %d", status)
	}
	fill("127.0.0.2")
	if _, status := ask("127.0.0.3"); status != http.StatusServiceUnavailable {
		t.Errorf("one more of another: %d", status)
	}
	time.Sleep(6 * time.Second)
	for _, from := range []string{"127.0.0.1", "127.0.0.3"} {
		if _, status := ask(from); status != http.StatusOK {
			t.Errorf("%s, when others are idle: %d", from, status)
		}
	}
	ended := 0
	for _, conn := range first {
		_ = conn.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if _, err := io.Copy(io.Discard, conn); err == nil {
			ended++
		}
	}
	if n := s.Server.Server.Stats(); ended != 2 || n.Connections != most {
		t.Errorf("%d have ended, and %d are open", ended, n.Connections)
	}
}

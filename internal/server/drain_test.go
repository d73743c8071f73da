package server_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"records/ent"
	"records/internal/server"
	"records/internal/servertest"
)

// stopping stops the server, and returns what closes when it has stopped.
func stopping(s service) <-chan struct{} {
	stopped := make(chan struct{})
	go func() {
		s.Stop()
		close(stopped)
	}()
	return stopped
}

func drainDelay(d time.Duration) servertest.Option {
	return func(o *server.Options) { o.DrainDelay = d }
}

// wantStopped fails the test unless the server stops in time.
func wantStopped(t *testing.T, stopped <-chan struct{}) {
	t.Helper()
	select {
	case <-stopped:
	case <-time.After(10 * time.Second):
		t.Fatal("the server has not stopped after 10 seconds")
	}
}

// Readiness fails first; until the listener closes all else is answered, with
// Connection: close.
func TestReadinessFailsFirst(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		get := func(target string) servertest.Response {
			return raw(t, s, "GET "+target+" HTTP/1.1\nHost: a\nAuthorization: Bearer "+s.write.Token+"\n\n")
		}
		if r := get("/readyz"); r.Status != 200 || r.Header.Get("Connection") != "" {
			t.Errorf("before: %d %v", r.Status, r.Header)
		}
		stopped := stopping(s)
		r := get("/readyz")
		for began := time.Now(); r.Status == 200 && time.Since(began) < time.Second; r = get("/readyz") {
			time.Sleep(time.Millisecond)
		}
		wantError(t, "readiness", r, 503, "unavailable")
		if r.Header.Get("Retry-After") == "" {
			t.Error("503 without Retry-After")
		}
		time.Sleep(50 * time.Millisecond)
		for target, status := range map[string]int{"/readyz": 503, "/livez": 200, "/api/v1/tasks": 200, "/api/v1/openapi.json": 200, "/nothing": 404} {
			c := dial(t, s)
			r, rest := exchangeOn(t, c, "GET "+target+" HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+s.write.Token+"\r\n\r\n")
			wantStatus(t, target, r, status)
			if r.Header.Get("Connection") != "close" || !isClosed(c, rest) {
				t.Errorf("%s: the connection stays open: %v", target, r.Header)
			}
		}
		wantStatus(t, "a write", s.write.Do("POST", "/tasks", `{"name":"a"}`), 201)
		wantStopped(t, stopped)
		if c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://")); err == nil {
			_ = c.Close()
			t.Error("stopped, and still listening")
		}
	}, drainDelay(2500*time.Millisecond))
}

// A client that keeps a connection open gets one more answer on it.
func TestIdleConnectionsAreNotCutOff(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		request := "GET /api/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + s.write.Token + "\r\n\r\n"
		idle := dial(t, s)
		if r, _ := exchangeOn(t, idle, request); r.Status != 200 {
			t.Fatalf("before: %d", r.Status)
		}
		stopped := stopping(s)
		for raw(t, s, "GET /readyz HTTP/1.1\nHost: a\n\n").Status == 200 {
			time.Sleep(time.Millisecond)
		}
		time.Sleep(50 * time.Millisecond)
		r, rest := exchangeOn(t, idle, request)
		if r.Status != 200 || r.Header.Get("Connection") != "close" || !isClosed(idle, rest) {
			t.Errorf("%d %v", r.Status, r.Header)
		}
		wantStopped(t, stopped)
	}, drainDelay(1500*time.Millisecond))
}

// A request in flight finishes, and the server waits for it.
func TestRequestsInFlightFinish(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		begun, finish := make(chan struct{}), make(chan struct{})
		s.Ent.Task.Use(func(next ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
				close(begun)
				<-finish
				return next.Mutate(ctx, m)
			})
		})
		c := dial(t, s)
		_, _ = io.WriteString(c, "POST /api/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+s.write.Token+"\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n"+`{"name":"a"}`)
		<-begun
		stopped := stopping(s)
		for { // until the listener is closed
			other, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
			if err != nil {
				break
			}
			_ = other.Close()
			time.Sleep(5 * time.Millisecond)
		}
		select {
		case <-stopped:
			t.Error("the server did not wait")
		case <-time.After(100 * time.Millisecond):
		}
		close(finish)
		r := readAnswer(t, bufio.NewReader(c), false)
		if r.Status != 201 || r.Header.Get("Connection") != "close" {
			t.Errorf("%d %v %s", r.Status, r.Header, r.Body)
		}
		wantStopped(t, stopped)
	}, drainDelay(20*time.Millisecond))
}

// Clients that hang do not hold the server up.
func TestHangingClients(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		auth := "Host: a\r\nAuthorization: Bearer " + s.write.Token + "\r\n"
		for _, sent := range []string{
			"", "GET /api/v1/tas", "GET /api/v1/tasks HTTP/1.1\r\n" + auth, "GET /livez HTTP/1.1\r\nHost: a\r\n\r\n",
			"POST /api/v1/tasks HTTP/1.1\r\n" + auth + "Content-Type: application/json\r\nContent-Length: 12\r\n\r\n{",
			"DELETE /api/v1/tasks/x HTTP/1.1\r\n" + auth + "Content-Length: 12\r\n\r\n",
		} {
			_, _ = io.WriteString(dial(t, s), sent)
		}
		time.Sleep(100 * time.Millisecond) // so that the server has read it all
		wantStopped(t, stopping(s))
	}, drainDelay(20*time.Millisecond), func(o *server.Options) { o.Hurry(time.Minute, time.Minute, 500*time.Millisecond) })
}

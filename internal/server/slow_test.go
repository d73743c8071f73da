package server_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent"
	"records/internal/dbtest"
	"records/internal/server"
	"records/internal/servertest"
)

// hurried waits a moment for clients, not half a minute.
func hurried(o *server.Options) {
	o.Hurry(time.Second, time.Second, time.Second)
}

// A client that does not send in time is cut off.
func TestSlowClients(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		auth := "Host: a\r\nAuthorization: Bearer " + s.write.Token + "\r\n"
		post := "POST /api/v1/tasks HTTP/1.1\r\n" + auth + "Content-Type: application/json\r\n"
		tests := []struct {
			what, sent string
			status     int // 0 is no answer
		}{
			{"nothing", "", 0},
			{"half a line", "GET /api", 400},
			{"half a header", "GET /api/v1/tasks HTTP/1.1\r\nHost: a\r\nX-A: b", 0},
			{"no body", post + "Content-Length: 12\r\n\r\n", 408},
			{"half a body", post + "Content-Length: 12\r\n\r\n" + `{"name"`, 408},
			{"half a chunk", post + "Transfer-Encoding: chunked\r\n\r\nc\r\n" + `{"name"`, 408},
			{"no last chunk", post + "Transfer-Encoding: chunked\r\n\r\nc\r\n" + `{"name":"a"}` + "\r\n", 408},
			{"a body that is ignored", "DELETE /api/v1/tasks/x HTTP/1.1\r\n" + auth + "Content-Length: 12\r\n\r\n", 200},
			{"without a key", "POST /api/v1/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n", 401},
			{"what nobody expects, and no body", "GET /livez HTTP/1.1\r\nHost: a\r\nExpect: a\r\nContent-Length: 12\r\n\r\n", 417},
			{"options of nothing, and no body", "OPTIONS * HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n", 404},
			{"options of nothing, and no chunk", "OPTIONS * HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 404},
		}
		began := time.Now()
		open := make([]net.Conn, len(tests))
		for i, test := range tests {
			open[i] = dial(t, s)
			_, _ = io.WriteString(open[i], test.sent)
		}
		for i, test := range tests {
			all, _ := io.ReadAll(open[i]) // until the server closes
			if took := time.Since(began); took > 8*time.Second {
				t.Errorf("%s: cut off after %s", test.what, took)
			}
			if test.status == 0 {
				if len(all) > 0 {
					t.Errorf("%s: answered with %s", test.what, all)
				}
				continue
			}
			r := readAnswer(t, bufio.NewReader(bytes.NewReader(all)), false)
			if wantStatus(t, test.what, r, test.status); test.status == 408 {
				wantError(t, test.what, r, 408, "request_timeout")
			}
		}
		if l := readList(t, s.read.Do("GET", "/tasks", nil)); l.Count != 0 {
			t.Errorf("%d records, want none", l.Count)
		}
	}, hurried)
}

// A long answer, which is sent while it is made, does not wait for a body that nobody
// reads either. One that comes does not cost the connection.
func TestLongAnswerWaitsForNoBody(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		for _, method := range []string{"GET", "HEAD"} {
			head := method + " /api/v1/openapi.json HTTP/1.1\r\nHost: a\r\nContent-Length: 12\r\n\r\n"
			c := dial(t, s) // for 20 seconds at most, a body has 30
			_, _ = io.WriteString(c, head)
			r := readAnswer(t, bufio.NewReader(c), method == "HEAD")
			if wantStatus(t, method, r, 200); r.Header.Get("Connection") != "close" {
				t.Errorf("%s: the connection goes on with what may be a body", method)
			}
			c = dial(t, s)
			answers := bufio.NewReader(c)
			for range 2 {
				_, _ = io.WriteString(c, head+"twelve bytes")
				time.Sleep(2 * server.Leftover)
				wantStatus(t, method+" with its body", readAnswer(t, answers, method == "HEAD"), 200)
			}
		}
	})
}

// The time for a header is not that for the work: who waits for a table is served.
func TestWorkTakesItsTime(t *testing.T) {
	t.Parallel()
	db := dbtest.Open(t, dialect.Postgres)
	c := servertest.Start(t, db, hurried).NewClient(t)
	lock, err := db.SQL().BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lock.ExecContext(t.Context(), "LOCK TABLE tasks IN ACCESS EXCLUSIVE MODE"); err != nil {
		t.Fatal(err)
	}
	let := time.AfterFunc(2*time.Second, func() { _ = lock.Rollback() })
	defer let.Stop()
	if r := c.Do(http.MethodDelete, "/tasks/"+uuid.NewString(), nil); r.Status != http.StatusOK {
		t.Errorf("%d: %s", r.Status, r.Body)
	}
}

// A header and a body have their time as a whole: one byte now and then does not
// stretch it.
func TestDrippingClients(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		auth := " HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + s.write.Token + "\r\n"
		var all sync.WaitGroup
		for _, head := range []string{"GET /api/v1/tasks" + auth + "X-A: ", "POST /api/v1/tasks" + auth + "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n"} {
			c := dial(t, s)
			all.Go(func() {
				began := time.Now()
				_, err := io.WriteString(c, head)
				for err == nil && time.Since(began) < 8*time.Second {
					_, err = io.WriteString(c, " ")
					time.Sleep(50 * time.Millisecond)
				}
				if err == nil {
					t.Errorf("%s: still open after 8 seconds", head[:4])
				}
			})
		}
		all.Wait()
	}, hurried)
}

// The time for the body ends with the body: what the server then does with it
// has its own.
func TestBodyTimeEndsWithBody(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		s.Ent.Task.Use(func(next ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
				time.Sleep(1300 * time.Millisecond)
				if err := ctx.Err(); err != nil {
					t.Error(err)
				}
				return next.Mutate(ctx, m)
			})
		})
		wantStatus(t, "slow work", s.write.Do("POST", "/tasks", `{"name":"a"}`), 201)
		wantStatus(t, "slow work", s.write.Do("POST", "/tasks", strings.Repeat(" ", 100_000)+`{"name":"a"}`), 201)
	}, hurried)
}

// lazy is a connection on which it takes long to send.
type lazy struct{ net.Conn }

func (c lazy) Write(b []byte) (int, error) {
	time.Sleep(2 * server.Leftover)
	return c.Conn.Write(b)
}

type lazyListener struct{ net.Listener }

func (l lazyListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return lazy{c}, err
}

// An answer that takes long to send costs the connection's next request nothing.
func TestSlowAnswerKeepsItsConnection(t *testing.T) {
	t.Parallel()
	s := httptest.NewUnstartedServer(server.BodyDeadline(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if err := r.Context().Err(); err != nil {
			t.Errorf("a request of a client that is there: %v", err)
		}
	})))
	s.Listener = lazyListener{s.Listener}
	s.Start()
	defer s.Close()
	for range 2 {
		answer, err := s.Client().Post(s.URL, "text/plain", strings.NewReader("all of it"))
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
	}
}

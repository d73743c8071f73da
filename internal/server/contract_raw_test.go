package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"records/ent"
)

// headerBlock is a request whose line and header have n bytes.
func headerBlock(token string, n int) string {
	head := "GET /api/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + token + "\r\n"
	for i := 0; n-len(head) > 9000; i++ {
		head += fmt.Sprintf("X-%d: %s\r\n", i, strings.Repeat("a", 8000))
	}
	return head + "X-Last: " + strings.Repeat("a", n-len(head)-len("X-Last: \r\n\r\n")) + "\r\n\r\n"
}

func TestHeaderBlock(t *testing.T) {
	const most = 64 << 10
	onEach(t, func(t *testing.T, s service) {
		for _, n := range []int{most - 1000, most - 1, most} {
			wantStatus(t, fmt.Sprint(n), exchange(t, s, headerBlock(s.write.Token, n)), 200)
		}
		for _, n := range []int{most + 1, most + 1000, 1 << 20} {
			wantStatus(t, fmt.Sprint(n), exchange(t, s, headerBlock(s.write.Token, n)), 431)
		}
		many := "GET /api/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + s.write.Token + "\r\n" + strings.Repeat("a:\r\n", (most-1000)/len("a:\r\n")) + "\r\n"
		began := time.Now()
		if wantStatus(t, "many lines", exchange(t, s, many), 200); time.Since(began) > 5*time.Second {
			t.Errorf("many lines take %s", time.Since(began))
		}
		line := "GET /api/v1/tasks?" + strings.Repeat("a", 2*most) + " HTTP/1.1\nHost: a\n\n"
		wantStatus(t, "a long line", raw(t, s, line), 431)
	})
}

// What HTTP itself forbids is refused, and the connection closed: nothing after
// it is taken for a request.
func TestForbiddenByHTTP(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		id := s.write.Create("tasks", smallest("tasks"))
		auth := "Host: a\nAuthorization: Bearer " + s.write.Token + "\n"
		post := "POST /api/v1/tasks HTTP/1.1\n" + auth + "Content-Type: application/json\n"
		smuggled := "DELETE /api/v1/tasks/" + id + " HTTP/1.1\n" + auth + "\n"
		for _, request := range []string{
			"GET /api/v1/tasks HTTP/1.1\nAuthorization: Bearer " + s.write.Token + "\n\n", // no Host
			"GET /api/v1/tasks HTTP/1.1\nHost: a\nHost: b\n\n",
			"GET /api/v1/tasks\n\n", "GET  /api/v1/tasks HTTP/1.1\n" + auth + "\n", "GET /api/v1/ta sks HTTP/1.1\n" + auth + "\n", "G ET /api/v1/tasks HTTP/1.1\n" + auth + "\n",
			"GET /api/v1/tasks HTTP/1.1\n" + auth + "X Y: z\n\n", "GET /api/v1/tasks HTTP/1.1\n" + auth + "X-A : z\n\n", "GET /api/v1/tasks HTTP/1.1\n" + auth + "X-A: a\x00b\n\n", "GET /api/v1/tasks HTTP/1.1\n X-A: b\n" + auth + "\n",
			"GET /api/v1/tasks/%zz HTTP/1.1\n" + auth + "\n", "GET /api/v1/tasks/\x01 HTTP/1.1\n" + auth + "\n", "GET api/v1/tasks HTTP/1.1\n" + auth + "\n", "GET /api/v1/tasks HTTP/3.0\n" + auth + "\n",
			post + "Content-Length: 5\nContent-Length: 12\n\n{}   " + smuggled, post + "Content-Length: -1\n\n" + smuggled, post + "Content-Length: +12\n\n" + smuggled, post + "Content-Length: 12, 12\n\n" + smuggled, post + "Content-Length: 0x2\n\n{}" + smuggled,
			post + "Transfer-Encoding: gzip\n\n" + smuggled, post + "Transfer-Encoding: chunked, chunked\n\n0\n\n" + smuggled, post + "Transfer-Encoding: chunked\nTransfer-Encoding: identity\n\n0\n\n" + smuggled,
		} {
			c := dial(t, s)
			r, rest := exchangeOn(t, c, strings.ReplaceAll(request, "\n", "\r\n"))
			if r.Status < 400 || r.Status == 401 {
				t.Errorf("%q: %d %s", request, r.Status, r.Body)
			}
			if !isClosed(c, rest) {
				t.Errorf("%q: the connection stays open", request)
			}
		}
		wantStatus(t, "still there", s.read.Do("GET", "/tasks/"+id, nil), 200)
	})
}

// A body that is broken on its way makes no record.
func TestBrokenBodies(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		head := strings.ReplaceAll("POST /api/v1/tasks HTTP/1.1\nHost: a\nAuthorization: Bearer "+s.write.Token+"\nContent-Type: application/json\n", "\n", "\r\n")
		for _, rest := range []string{
			"Content-Length: 20\r\n\r\n" + `{"name":"a"}`, "Transfer-Encoding: chunked\r\n\r\nc\r\n" + `{"name":"a"}`, "Transfer-Encoding: chunked\r\n\r\nc\r\n" + `{"name":"a"}` + "\r\n",
			"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + `{"name":"a"}` + "\r\n0\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n" + `{"name":"a"}`, "Transfer-Encoding: chunked\r\n\r\n-c\r\n" + `{"name":"a"}` + "\r\n0\r\n\r\n",
		} {
			c := dial(t, s)
			_, _ = io.WriteString(c, head+rest)
			_ = c.(*net.TCPConn).CloseWrite()
			wantError(t, rest, readAnswer(t, bufio.NewReader(c), false), 400, "invalid_json")
		}
		r := exchange(t, s, head+"Transfer-Encoding: chunked\r\nTrailer: X-A\r\n\r\n5;ext=1\r\n{\"nam\r\n7\r\ne\":\"a\"}\r\n0\r\nX-A: b\r\nContent-Type: text/plain\r\n\r\n")
		wantStatus(t, "in two chunks", r, 201)
		if l := readList(t, s.read.Do("GET", "/tasks", nil)); l.Count != 1 {
			t.Errorf("%d records, want 1", l.Count)
		}
	})
}

// Who closes their own half of the connection after the request still reads: what then
// goes unfinished is answered like any failure. The log says that the client went.
func TestHalfClosed(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		s.Ent.Task.Use(func(ent.Mutator) ent.Mutator {
			return ent.MutateFunc(func(ctx context.Context, _ ent.Mutation) (ent.Value, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})
		})
		c := dial(t, s)
		_, _ = io.WriteString(c, "POST /api/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+s.write.Token+"\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n"+`{"name":"a"}`)
		_ = c.(*net.TCPConn).CloseWrite()
		r := readAnswer(t, bufio.NewReader(c), false)
		wantError(t, "a write", r, 503, "unavailable", "may have taken effect")
		if r.Header.Get("Retry-After") == "" {
			t.Error("it does not say when to try again")
		}
		s.Stop()
		if log := s.Log.String(); !strings.Contains(log, `"status":499`) || strings.Contains(log, `"status":503`) {
			t.Errorf("the log does not say that the client went: %s", log)
		}
	})
}

// Several requests on one connection, sent at once, are answered in order; and
// other forms of a request that HTTP allows.
func TestAllowedByHTTP(t *testing.T) {
	onEach(t, func(t *testing.T, s service) {
		auth := "Host: a\nAuthorization: Bearer " + s.write.Token + "\n"
		post := "POST /api/v1/tasks HTTP/1.1\n" + auth + "Content-Type: application/json\nContent-Length: 12\n"
		c := dial(t, s)
		_, rest := exchangeOn(t, c, strings.ReplaceAll(post+"\n"+`{"name":"a"}`+"HEAD /api/v1/tasks HTTP/1.1\n"+auth+"\nDELETE /api/v1/tasks/x HTTP/1.1\n"+auth+"Content-Length: 3\n\nabcGET /api/v1/tasks HTTP/1.1\n"+auth+"\n", "\n", "\r\n"))
		wantStatus(t, "second", readAnswer(t, rest, true), 200)
		wantBody(t, "third", readAnswer(t, rest, false), 200, `{"id":"x","deleted":false}`)
		if l := readList(t, readAnswer(t, rest, false)); l.Count != 1 {
			t.Errorf("%d records, want 1", l.Count)
		}
		wantStatus(t, "HTTP/1.0", raw(t, s, "GET /api/v1/tasks HTTP/1.0\nAuthorization: Bearer "+s.write.Token+"\n\n"), 200)
		wantStatus(t, "line feeds alone", exchange(t, s, "GET /api/v1/tasks HTTP/1.1\n"+auth+"\n"), 200)
		wantError(t, "CONNECT", raw(t, s, "CONNECT /api/v1/tasks HTTP/1.1\n"+auth+"\n"), 405, "method_not_allowed")
		wantError(t, "CONNECT to a host", raw(t, s, "CONNECT a.example:443 HTTP/1.1\n"+auth+"\n"), 404, "not_found")
		wantError(t, "OPTIONS of nothing", raw(t, s, "OPTIONS * HTTP/1.1\nHost: a\nContent-Length: 3\n\nabc"), 404, "not_found")
		wantStatus(t, "a GET with a body", raw(t, s, "GET /api/v1/tasks HTTP/1.1\n"+auth+"Content-Length: 3\n\nabc"), 200)

		c = dial(t, s) // a body that waits to be asked for
		r, rest := exchangeOn(t, c, strings.ReplaceAll(post+"Expect: 100-continue\n\n", "\n", "\r\n"))
		wantStatus(t, "asked for", r, 100)
		_, _ = io.WriteString(c, `{"name":"a"}`)
		wantStatus(t, "sent", readAnswer(t, rest, false), 201)
		began := time.Now()
		refused := strings.Replace(post, s.write.Token, "x", 1) + "Expect: 100-continue\n\n"
		want401(t, "never asked for", raw(t, s, refused))
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("waited %s for a body of no interest", took)
		}
	})
}

package server_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent/rule"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/servertest"
	"records/internal/viewer"
)

// service is one running server, and callers of it: two keys of one workspace,
// a key of another, and nobody.
type service struct {
	*servertest.Server
	workspace uuid.UUID

	write, read, stranger, anonymous *servertest.Client
}

// onEach runs a test against a server on each database.
func onEach(t *testing.T, test func(t *testing.T, s service), options ...servertest.Option) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) { test(t, start(t, db, options...)) })
}

// onEachAlone is onEach with no other test beside it: for what looks at the process.
func onEachAlone(t *testing.T, test func(t *testing.T, s service), options ...servertest.Option) {
	t.Helper()
	for _, name := range []string{dialect.SQLite, dialect.Postgres} {
		t.Run(name, func(t *testing.T) { test(t, start(t, dbtest.Open(t, name), options...)) })
	}
}

// onEachKind is onEach with row-level security, too: for what reads and writes records.
func onEachKind(t *testing.T, test func(t *testing.T, s service)) {
	t.Helper()
	t.Parallel()
	dbtest.EachConfined(t, func(t *testing.T, _, served *database.DB) { test(t, start(t, served)) })
}

// eachPair runs a test against two replicas that share a database, and callers
// of either in one workspace.
func eachPair(t *testing.T, test func(t *testing.T, first, second service), options ...servertest.Option) {
	t.Helper()
	dbtest.Each(t, func(t *testing.T, db *database.DB) {
		first, replica := start(t, db, options...), servertest.Start(t, db, options...)
		test(t, first, service{Server: replica, workspace: first.workspace, anonymous: replica.Anonymous(t)})
	})
}

// operator is a context in which everything may be done.
func operator(t *testing.T) context.Context { return rule.AsOperator(t.Context()) }

func start(t *testing.T, db *database.DB, options ...servertest.Option) service {
	t.Helper()
	s := servertest.Start(t, db, options...)
	w := s.Workspace(t)
	return service{
		Server: s, workspace: w,
		write: s.Key(t, w, viewer.Write), read: s.Key(t, w, viewer.Read),
		stranger: s.NewClient(t), anonymous: s.Anonymous(t),
	}
}

// wantBody fails the test unless the answer is this status with exactly this
// body as JSON.
func wantBody(t *testing.T, what string, r servertest.Response, status int, body string) {
	t.Helper()
	if r.Status != status || string(r.Body) != body || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%s: %d %q %s, want %d %s", what, r.Status, r.Header.Values("Content-Type"), r.Body, status, body)
	}
}

// wantStatus fails the test unless the answer has this status.
func wantStatus(t *testing.T, what string, r servertest.Response, status int) {
	t.Helper()
	if r.Status != status {
		t.Errorf("%s: %d %s, want %d", what, r.Status, r.Body, status)
	}
}

// wantError fails the test unless the answer is an error of this status and
// code: exactly { error, message } as application/json, with a sentence that
// has every one of the parts.
func wantError(t *testing.T, what string, r servertest.Response, status int, code string, parts ...string) {
	t.Helper()
	var e struct{ Error, Message string }
	var members map[string]json.RawMessage
	_ = json.Unmarshal(r.Body, &e)
	_ = json.Unmarshal(r.Body, &members)
	if r.Status != status || e.Error != code || len(members) != 2 || !strings.HasSuffix(e.Message, ".") ||
		strings.Join(r.Header.Values("Content-Type"), "|") != "application/json" {
		t.Errorf("%s: %d %q %s, want %d %s", what, r.Status, r.Header.Values("Content-Type"), r.Body, status, code)
		return
	}
	for _, part := range parts {
		if !strings.Contains(e.Message, part) {
			t.Errorf("%s: the message lacks %q: %s", what, part, e.Message)
		}
	}
	if r.Header.Get("X-Request-Id") == "" {
		t.Errorf("%s: no X-Request-Id", what)
	}
}

// field returns one member of a record as it stands in the answer.
func field(t *testing.T, r servertest.Response, name string) string {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(r.Body, &members); err != nil || members[name] == nil {
		t.Fatalf("no %s in %d %s", name, r.Status, r.Body)
	}
	return string(members[name])
}

// quote returns s as a JSON string.
func quote(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// raw sends bytes over a connection of its own and reads one answer. A line
// feed in the text becomes the line's end of HTTP.
func raw(t *testing.T, s service, text string) servertest.Response {
	t.Helper()
	return exchange(t, s, strings.ReplaceAll(text, "\n", "\r\n"))
}

// exchange is raw to the letter.
func exchange(t *testing.T, s service, text string) servertest.Response {
	t.Helper()
	r, _ := exchangeOn(t, dial(t, s), text)
	return r
}

// exchangeOn sends on a connection, and returns what there is to read next.
func exchangeOn(t *testing.T, c net.Conn, text string) (servertest.Response, *bufio.Reader) {
	t.Helper()
	go func() { _, _ = io.WriteString(c, text) }() // the server may answer before it has read everything
	reader := bufio.NewReader(c)
	answer := readAnswer(t, reader, strings.HasPrefix(text, http.MethodHead+" "))
	line, _, _ := strings.Cut(text, "\r\n")
	if parts := strings.Split(line, " "); len(parts) == 3 {
		servertest.Described(t, parts[0], parts[1], answer)
	}
	return answer, reader
}

// isClosed reports whether the server closes a connection within a second.
func isClosed(c net.Conn, reader *bufio.Reader) bool {
	_ = c.SetReadDeadline(time.Now().Add(time.Second))
	_, err := reader.ReadByte()
	return err != nil && !isTimeout(err)
}

// dial opens a connection to the server that gives up after 20 seconds.
func dial(t *testing.T, s service) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	return c
}

func readAnswer(t *testing.T, reader *bufio.Reader, head bool) servertest.Response {
	t.Helper()
	request := &http.Request{Method: http.MethodGet}
	if head {
		request.Method = http.MethodHead
	}
	res, err := http.ReadResponse(reader, request)
	if err != nil {
		t.Fatalf("reading the answer: %v", err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatalf("reading the answer's body: %v", err)
	}
	if res.Close { // the library takes it out
		res.Header.Set("Connection", "close")
	}
	return servertest.Response{Status: res.StatusCode, Header: res.Header, Body: body}
}

func isTimeout(err error) bool {
	timeout, ok := err.(net.Error)
	return ok && timeout.Timeout()
}

// smallest is the least body that makes a record.
func smallest(plural string) string {
	if plural == "deals" {
		return `{"title":"a"}`
	}
	return `{"name":"a"}`
}

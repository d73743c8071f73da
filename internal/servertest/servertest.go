// Package servertest runs the real server on a real database, for tests that
// look at it from outside.
package servertest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/server"
	"records/internal/viewer"
)

// Server is a running server and the client behind it.
type Server struct {
	URL    string // http://127.0.0.1:PORT
	Ent    *ent.Client
	Log    *bytes.Buffer // only to be read after Stop
	Server *server.Server

	stop func()
}

// Option changes how the server is started.
type Option func(*server.Options)

// Start serves a database until the test ends, without ceilings unless an
// option sets them.
func Start(t testing.TB, db *database.DB, options ...Option) *Server {
	t.Helper()
	log := new(bytes.Buffer)
	client := ent.NewClient(ent.Driver(db.Driver()))
	o := server.Options{
		Client: client, DB: db, Log: slog.New(slog.NewJSONHandler(log, nil)),
		CeilingStore: "memory", RequestTimeout: 8 * time.Second, DrainDelay: time.Millisecond,
		MaxWaiting: 10_000, MaxWait: 8 * time.Second, // no test is shed unless it wants to be
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	o.DeveloperURL = "http://" + listener.Addr().String()
	for _, option := range options {
		option(&o)
	}
	s, err := server.New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, listener) }()
	started := &Server{URL: "http://" + listener.Addr().String(), Ent: client, Log: log, Server: s}
	stopped := false
	started.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-served; err != nil {
			t.Errorf("serving: %v", err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("closing: %v", err)
		}
	}
	t.Cleanup(started.stop)
	return started
}

// Stop ends the server before the test does.
func (s *Server) Stop() { s.stop() }

// Workspace makes a workspace of a name that no other has.
func (s *Server) Workspace(t testing.TB) uuid.UUID {
	t.Helper()
	w, err := s.Ent.Workspace.Create().SetName("workspace " + uuid.NewString()).Save(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return w.ID
}

// Key mints a key of a workspace and returns a client that sends it.
func (s *Server) Key(t testing.TB, workspace uuid.UUID, scope viewer.Scope) *Client {
	t.Helper()
	key, token, err := apikey.Create(rule.AsOperator(t.Context()), s.Ent, apikey.Request{Workspace: workspace, Name: "test", Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	return &Client{t: t, base: s.URL + server.Base, ID: key.ID, Token: token}
}

// With returns a client that sends a token.
func (s *Server) With(t testing.TB, token string) *Client {
	return &Client{t: t, base: s.URL + server.Base, Token: token}
}

// NewClient returns a client with scope write of a workspace of its own.
func (s *Server) NewClient(t testing.TB) *Client {
	t.Helper()
	return s.Key(t, s.Workspace(t), viewer.Write)
}

// Anonymous returns a client without a key.
func (s *Server) Anonymous(t testing.TB) *Client {
	return &Client{t: t, base: s.URL + server.Base}
}

// Client calls the API as one key.
type Client struct {
	ID    uuid.UUID
	Token string

	t    testing.TB
	base string
}

// Response is an answer, read whole.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// Do sends a request, and fails the test if the API's description does not tell
// of the answer. The path is under /api/v1, and sent as it stands. A body
// that is a string or bytes is sent as it is, anything else as JSON; nil is no
// body. Headers come in pairs and replace what would be sent; an empty value
// leaves the header out.
func (c *Client) Do(method, path string, body any, headers ...string) Response {
	c.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), method, c.base, reader(c.t, body))
	if err != nil {
		c.t.Fatal(err)
	}
	r.URL.Opaque = "//" + r.URL.Host + server.Base + path // to the letter
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Del(headers[i])
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	answer := send(c.t, r)
	Described(c.t, method, server.Base+path, answer)
	return answer
}

// JSON decodes the body, numbers as json.Number.
func (r Response) JSON(t testing.TB) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(r.Body))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("the answer is no JSON object: %v: %q", err, r.Body)
	}
	return v
}

// Error returns the code of a failed request.
func (r Response) Error(t testing.TB) string {
	t.Helper()
	code, _ := r.JSON(t)["error"].(string)
	return code
}

// ID returns the id of the record in the answer.
func (r Response) ID(t testing.TB) string {
	t.Helper()
	id, ok := r.JSON(t)["id"].(string)
	if !ok {
		t.Fatalf("the answer has no id: %d %s", r.Status, r.Body)
	}
	return id
}

// Create creates a record and returns its id. It fails the test otherwise.
func (c *Client) Create(plural string, body any) string {
	c.t.Helper()
	r := c.Do(http.MethodPost, "/"+plural, body)
	if r.Status != http.StatusCreated {
		c.t.Fatalf("creating in %s: %d %s", plural, r.Status, r.Body)
	}
	return r.ID(c.t)
}

func reader(t testing.TB, body any) io.Reader {
	t.Helper()
	switch b := body.(type) {
	case nil:
		return nil
	case string:
		return strings.NewReader(b)
	case []byte:
		return bytes.NewReader(b)
	}
	b, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b)
}

// transport keeps no compression of its own, so that tests see what is sent.
var transport = &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 16}

func send(t testing.TB, r *http.Request) Response {
	t.Helper()
	res, err := transport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Response{res.StatusCode, res.Header, body}
}

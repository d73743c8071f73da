package main_test

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/dbtest"
)

// A change of a key by a command holds on every running server within a second.
func TestKeyChangesReachARunningServer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		k := p.key("Acme", "write")
		first, second := p.serve(), p.serve()
		defer first.stop()
		defer second.stop()
		const path, task = "/api/v1/tasks", `{"name":"a"}`
		both := func(status int, method string) (answer string) {
			for _, s := range []*served{first, second} {
				answer = s.status(status, method, path, k.Token, task)
			}
			return answer
		}
		both(201, "POST")
		p.ok("key", "set-scope", k.ID, "--scope", "read")
		time.Sleep(time.Second)
		first.failure("read_only_key", both(403, "POST"))
		both(200, "GET")
		p.ok("key", "revoke", k.ID)
		time.Sleep(time.Second)
		first.failure("unauthorized", both(401, "GET"))
	})
}

// On PostgreSQL a running server has its statements planned once and by an index, and
// what it writes counts itself. A trigger notes what the server's own session is.
func TestSessionOfAServer(t *testing.T) {
	t.Parallel()
	raw := dbtest.URL(t, dialect.Postgres)
	db := dbtest.OpenURL(t, raw).SQL()
	execute(t, db, "CREATE TABLE seen (what text)")
	execute(t, db, `CREATE FUNCTION note_session() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		INSERT INTO seen VALUES (concat_ws(' ', current_setting('plan_cache_mode'), current_setting('enable_seqscan'),
			current_setting('enable_bitmapscan'), current_setting('jit'), left(current_query(), 28)));
		RETURN NULL;
	END $$`)
	execute(t, db, "CREATE TRIGGER note_session AFTER INSERT ON tasks EXECUTE FUNCTION note_session()")
	p := newProgram(t, raw)
	k := p.key("Acme", "write")
	s := p.serve()
	defer s.stop()
	s.status(201, "POST", "/api/v1/tasks", k.Token, `{"name":"a"}`)
	var got string
	if err := db.QueryRowContext(t.Context(), "SELECT what FROM seen").Scan(&got); err != nil {
		t.Fatal(err)
	}
	if want := "force_generic_plan off off off /* counts itself in tasks */"; got != want {
		t.Errorf("the session is %q, want %q", got, want)
	}
}

func TestServeDemoTwice(t *testing.T) {
	eachDatabase(t, func(t *testing.T, p *program) {
		var lists []string
		for range 2 {
			s := p.serve("--demo")
			list := s.status(200, "GET", "/api/v1/tasks", s.printed["token"], "")
			if !strings.Contains(s.printed["curl"], s.printed["token"]) || !strings.Contains(s.printed["curl"], s.address+"/api/v1/tasks?limit=2") {
				t.Errorf("printed %v", s.printed)
			}
			lists = append(lists, list)
			s.stop()
		}
		if lists[0] != lists[1] || strings.Contains(lists[0], `"count":0`) {
			t.Errorf("first %s, then %s", lists[0], lists[1])
		}
	})
}

func TestServePrintsItsAddress(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "")
	s := p.serve()
	if len(s.printed) != 1 || !strings.HasPrefix(s.address, "http://127.0.0.1:") || strings.HasSuffix(s.address, ":0") {
		t.Errorf("printed %v", s.printed)
	}
	s.status(200, "GET", "/livez", "", "")
	s.status(200, "GET", "/readyz", "", "")
	s.stop()
}

// SIGTERM ends the program in time, though a client hangs.
func TestStopWithAClientThatHangs(t *testing.T) {
	t.Parallel()
	s := newProgram(t, "").serve()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("POST /api/v1/tasks HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{")); err != nil {
		t.Fatal(err)
	}
	s.status(200, "GET", "/livez", "", "")
	s.stop()
}

// Who reads the log may stall, and may go: requests are answered, and the program ends
// in good order.
func TestReaderOfTheLog(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(*os.File) error{
		"stalls": func(*os.File) error { return nil },
		"goes":   (*os.File).Close,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			s := newProgram(t, "").serveTo(w)
			if err := errors.Join(w.Close(), read(r)); err != nil {
				t.Fatal(err)
			}
			for range 1000 { // whose lines are more than a pipe holds
				s.status(404, "GET", "/nothing", "", "")
			}
			s.stop()
		})
	}
}

// Who should read the address may never do so, and may go: requests are answered.
func TestReaderOfTheAddress(t *testing.T) {
	t.Parallel()
	for name, read := range map[string]func(r, w *os.File) error{
		"stalls": func(_, w *os.File) error {
			err := w.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
			for full := err; full == nil; {
				_, full = w.Write(make([]byte, 4096))
			}
			return err
		},
		"goes": func(r, _ *os.File) error { return r.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			free, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			s := &served{t: t, address: "http://" + free.Addr().String(), done: make(chan error, 1)}
			s.cmd = newProgram(t, "").command(t.Context(), "serve", "--addr", free.Addr().String(), "--server.drain_delay", "10ms")
			s.cmd.Stdout, s.cmd.Stderr = w, &s.log
			if err := errors.Join(read(r, w), free.Close(), s.cmd.Start(), w.Close()); err != nil {
				t.Fatal(err)
			}
			go func() { s.done <- s.cmd.Wait() }()
			until(t, "it does not serve", func() bool {
				conn, err := net.Dial("tcp", free.Addr().String())
				return err == nil && conn.Close() == nil
			})
			s.status(200, "GET", "/readyz", "", "")
			s.stop()
		})
	}
}

// A terminal that is closed ends the program as well, in good order, unless it was
// started to go on.
func TestStopWithItsTerminal(t *testing.T) {
	t.Parallel()
	s := newProgram(t, "").serve()
	s.status(200, "GET", "/api/v1/openapi.json", "", "")
	s.stopBy(syscall.SIGHUP)
	if !strings.Contains(s.log.String(), "route=/api/v1/openapi.json") {
		t.Errorf("the log lacks the last request: %q", s.log.String())
	}
	signal.Ignore(syscall.SIGHUP) // which a new process inherits
	s = newProgram(t, "").serve()
	signal.Reset(syscall.SIGHUP)
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	s.status(200, "GET", "/livez", "", "")
	s.stop()
}

// A PostgreSQL that is down is no reason not to start: keys are not refused,
// and all is well once it is there.
func TestServeWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	url := dbtest.URL(t, dialect.Postgres)
	k := newProgram(t, url).key("Acme", "read")
	proxy := dbtest.NewProxy(t, url)
	proxy.Refuse()
	s := newProgram(t, proxy.URL()).serve()
	s.status(200, "GET", "/livez", "", "")
	s.failure("unavailable", s.status(503, "GET", "/readyz", "", ""))
	s.failure("unavailable", s.status(503, "GET", "/api/v1/tasks", k.Token, ""))
	s.failure("unauthorized", s.status(401, "GET", "/api/v1/tasks", "wrk_mistyped", ""))
	proxy.Restore()
	s.status(200, "GET", "/readyz", "", "")
	s.status(200, "GET", "/api/v1/tasks", k.Token, "")
	s.stop()
}

func TestServeDemoWithoutItsDatabase(t *testing.T) {
	t.Parallel()
	p := newProgram(t, "postgres://user:s3cret@127.0.0.1:1/records?sslmode=disable")
	stdout, stderr, code := p.run("serve", "--addr", "127.0.0.1:0", "--demo")
	if code != 1 || stdout != "" || strings.Contains(stderr, "s3cret") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

func TestLogs(t *testing.T) {
	t.Parallel()
	for format, level := range map[string]string{"json": "info", "text": "debug"} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			p := newProgram(t, "")
			k := p.key("Acme", "write")
			s := p.serve("--log.format", format, "--log.level", level)
			want := 5
			for _, path := range []string{"/livez", "/readyz"} { // that all is well is news to nobody
				s.status(200, "GET", path, "", "")
				if level == "debug" {
					want++
				}
			}
			s.status(201, "POST", "/api/v1/tasks", k.Token, `{"name":"body-of-the-request"}`)
			s.status(200, "GET", "/api/v1/tasks?limit=77", k.Token, "")
			s.status(400, "GET", "/api/v1/tasks?secret=query", k.Token, "")
			s.status(401, "GET", "/api/v1/tasks", "wrk_mistyped", "")
			s.status(404, "GET", "/secret-path", "", "")
			s.stop()
			log := s.log.String()
			for _, secret := range []string{k.Token, k.Token[4:], "body-of", "limit", "secret", "mistyped"} {
				if strings.Contains(log, secret) {
					t.Errorf("the log holds %q: %s", secret, log)
				}
			}
			requests := 0
			for line := range strings.Lines(log) {
				if format == "json" && !json.Valid([]byte(line)) {
					t.Errorf("no JSON: %q", line)
				}
				if strings.Contains(line, `msg=request `) || strings.Contains(line, `"msg":"request"`) {
					requests++
					if !strings.Contains(line, "request_id") || !strings.Contains(line, "status") {
						t.Errorf("the line of a request is %q", line)
					}
				}
			}
			if requests != want {
				t.Errorf("%d lines of requests, not %d: %s", requests, want, log)
			}
		})
	}
}

package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"records/internal/programtest"
	"records/internal/servertest"
)

// served is a running server.
type served struct {
	address string // http://127.0.0.1:PORT
	printed map[string]string

	t    *testing.T
	cmd  *exec.Cmd
	log  programtest.Output
	done chan error
}

// serve starts the server on a free port, and waits until it prints its address.
func (p *program) serve(args ...string) *served {
	p.t.Helper()
	return p.serveTo(nil, args...)
}

// serveTo is serve with its log written to a file, if it is not nil.
func (p *program) serveTo(log *os.File, args ...string) *served {
	p.t.Helper()
	s := &served{t: p.t, done: make(chan error, 1)}
	s.cmd = p.command(context.Background(), append([]string{"serve", "--addr", "127.0.0.1:0", "--server.drain_delay", "10ms", "--json"}, args...)...)
	if s.cmd.Stderr = &s.log; log != nil {
		s.cmd.Stderr = log
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil || json.Unmarshal(line, &s.printed) != nil {
		_ = s.cmd.Wait()
		p.t.Fatalf("serve printed %q, %v: %s", line, err, s.log.String())
	}
	go func() { s.done <- s.cmd.Wait() }()
	s.address = s.printed["address"]
	return s
}

// stop sends SIGTERM, and waits for the exit code 0.
func (s *served) stop() {
	s.t.Helper()
	s.stopBy(syscall.SIGTERM)
}

func (s *served) stopBy(sig os.Signal) {
	s.t.Helper()
	start := time.Now()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
	select {
	case err := <-s.done:
		if err != nil {
			s.t.Errorf("serve ended with %v: %s", err, s.log.String())
		}
	case <-time.After(30 * time.Second):
		s.t.Errorf("serve has not ended %s after the signal", time.Since(start))
	}
}

// do sends a request, and returns the status and the body. The API's description
// must tell of the answer.
func (s *served) do(method, path, token, body string) (int, string) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 30*time.Second)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, s.address+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	servertest.Described(s.t, method, path, servertest.Response{Status: res.StatusCode, Header: res.Header, Body: b})
	return res.StatusCode, string(b)
}

// status sends a request that must be answered with a status.
func (s *served) status(want int, method, path, token, body string) string {
	s.t.Helper()
	got, answer := s.do(method, path, token, body)
	if got != want {
		s.t.Errorf("%s %s: %d %s; want %d", method, path, got, answer, want)
	}
	return answer
}

// failure checks that an answer is { error, message } with the code.
func (s *served) failure(code, answer string) {
	s.t.Helper()
	var e map[string]string
	if err := json.Unmarshal([]byte(answer), &e); err != nil || len(e) != 2 || e["error"] != code || e["message"] == "" {
		s.t.Errorf("the answer is %s; want the error %s", answer, code)
	}
}

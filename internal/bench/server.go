package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

const (
	startTimeout = 30 * time.Second
	stopTimeout  = 15 * time.Second
)

// binaries are the two programs.
type binaries struct{ program, baseline string }

// build builds the two programs as they are released, but a program that is given.
func build(ctx context.Context, folder, program string) (binaries, error) {
	b := binaries{filepath.Join(folder, "records"), filepath.Join(folder, "baseline")}
	packages := map[string]string{"records/internal/bench/baseline": b.baseline, "records/cmd/records": b.program}
	if program != "" {
		delete(packages, "records/cmd/records")
		b.program = program
	}
	for from, to := range packages {
		say("building %s", from)
		if out, err := exec.CommandContext(ctx, "go", "build", "-o", to, from).CombinedOutput(); err != nil {
			return b, fmt.Errorf("go build %s: %w\n%s", from, err, out)
		}
	}
	return b, nil
}

// server is a server process that was started.
type server struct {
	addr  string // host:port
	log   string // the file that its log goes to
	cpu   meter
	ready time.Duration // from its start to its first answer's address
	cmd   *exec.Cmd
	ended chan error
}

// start runs a server until it has printed its address. Its log goes to a file,
// as an operator would have it.
func start(log string, environment []string, command ...string) (*server, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stderr, cmd.SysProcAttr = file, dieWithUs()
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{log: log, cmd: cmd, cpu: processCPU(cmd.Process.Pid), ended: make(chan error, 1)}
	line := make(chan string, 1)
	go func() {
		text, _ := bufio.NewReader(out).ReadString('\n') // "" if it ends first, as the log says
		line <- text
		_, _ = io.Copy(io.Discard, out)
		s.ended <- cmd.Wait()
	}()
	select {
	case text := <-line:
		_, addr, found := strings.Cut(strings.TrimSpace(text), "http://")
		if !found {
			return nil, errors.Join(fmt.Errorf("%s did not start: %s", command[0], s.said()), s.stop())
		}
		s.addr, s.ready = addr, time.Since(begin)
		return s, nil
	case <-time.After(startTimeout):
		return nil, errors.Join(fmt.Errorf("%s did not start in time: %s", command[0], s.said()), s.stop())
	}
}

// said is the end of the server's log.
func (s *server) said() string {
	text, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-2000):])
}

// stop ends the server.
func (s *server) stop() error {
	_ = s.cmd.Process.Signal(syscall.SIGTERM) // fails only if it has ended
	select {
	case err := <-s.ended:
		return err
	case <-time.After(stopTimeout):
		_ = s.cmd.Process.Kill()
		return errors.Join(errors.New("it did not stop in time"), <-s.ended)
	}
}

// memory is what a server holds in memory.
type memory struct { // in KiB
	now  int
	own  int // of it; the rest are pages of the program's file, which the kernel can drop
	peak int
}

// memory reads VmRSS, RssAnon and VmHWM of /proc/PID/status.
func (s *server) memory() (memory, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return memory{}, err
	}
	return parseStatus(string(text))
}

func parseStatus(text string) (m memory, err error) {
	for _, field := range []struct {
		name string
		to   *int
	}{{"VmRSS:", &m.now}, {"RssAnon:", &m.own}, {"VmHWM:", &m.peak}} {
		_, rest, _ := strings.Cut(text, field.name)
		if _, err := fmt.Sscanf(rest, "%d kB", field.to); err != nil {
			return m, fmt.Errorf("%s in /proc/PID/status: %w", field.name, err)
		}
	}
	return m, nil
}

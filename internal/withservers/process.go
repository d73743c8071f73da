package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"
)

const (
	startTimeout = 60 * time.Second
	stopTimeout  = 10 * time.Second
	pollEvery    = 50 * time.Millisecond
	// portTries is how often a server that ended while starting gets another
	// port: between our choice and its use someone else may have taken it.
	portTries = 4
)

var errEnded = errors.New("it ended while starting")

// process is a server that was started.
type process struct {
	cmd    *exec.Cmd
	log    string // the file it writes to
	ending syscall.Signal
	ended  chan struct{}
}

// launch starts a server in a process group of its own: Ctrl-C in a terminal
// reaches the command under test, which still needs its servers while it stops.
func launch(cmd *exec.Cmd, log string, ending syscall.Signal) (*process, error) {
	file, err := os.OpenFile(log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	killWithParent(cmd.SysProcAttr, ending)
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, log: log, ending: ending, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // that it ended is all there is to know; the log says why
		close(p.ended)
	}()
	return p, nil
}

// launchOnFreePort starts a server and waits until it answers. command and ready
// take the port that it shall listen on.
func launchOnFreePort(ctx context.Context, log string, ending syscall.Signal,
	command func(port int) *exec.Cmd, ready func(pid, port int) bool,
) (*process, int, error) {
	for try := 1; ; try++ {
		port, err := freePort()
		if err != nil {
			return nil, 0, err
		}
		p, err := launch(command(port), log, ending)
		if err != nil {
			return nil, 0, err
		}
		err = p.await(ctx, func() bool { return ready(p.cmd.Process.Pid, port) })
		if err == nil {
			return p, port, nil
		}
		p.end()
		if errors.Is(err, errEnded) && try < portTries {
			continue
		}
		return nil, 0, fmt.Errorf("%w; its log:\n%s", err, tail(log))
	}
}

// await polls until the server is ready.
func (p *process) await(ctx context.Context, ready func() bool) error {
	deadline := time.After(startTimeout)
	for !ready() {
		select {
		case <-p.ended:
			return errEnded
		case <-deadline:
			return fmt.Errorf("it did not answer within %s", startTimeout)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
	}
	return nil
}

// stop ends the server. One that ended before its time explains the failures of
// the command, so what it said is shown.
func (p *process) stop() {
	select {
	case <-p.ended:
		fmt.Fprintf(os.Stderr, "withservers: %s ended by itself; its log:\n%s\n", p.cmd.Path, tail(p.log))
	default:
		p.end()
	}
}

// end ends the server, the hard way if it takes too long.
func (p *process) end() {
	_ = p.cmd.Process.Signal(p.ending) // fails only if it has ended
	select {
	case <-p.ended:
	case <-time.After(stopTimeout):
		_ = p.cmd.Process.Kill()
		<-p.ended
	}
}

// freePort returns a port of the loopback address that nobody listens on now.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

// tail returns the end of a log.
func tail(log string) string {
	const most = 8 << 10
	text, err := os.ReadFile(log)
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-most):])
}

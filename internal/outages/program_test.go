package outages

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// program is the one under test, and its settings. One server of it runs at a time.
type program struct {
	t       *testing.T
	dir     string
	env     []string
	log     tail
	address atomic.Value // string, http://127.0.0.1:PORT
	// away is odd while connections to it may break, and another number afterwards.
	away atomic.Int64

	cmd  *exec.Cmd
	done chan error
}

func newProgram(t *testing.T, url string) *program {
	t.Helper()
	p := &program{t: t, dir: t.TempDir(), env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "RECORDS_DATABASE_URL=" + url}}
	p.away.Store(1)
	return p
}

// start serves, and waits until the address is printed.
func (p *program) start() {
	p.t.Helper()
	p.cmd = p.command(context.Background(), "serve", "--addr", "127.0.0.1:0", "--json")
	p.cmd.Stderr = &p.log
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = p.cmd.Process.Kill() })
	hung := time.AfterFunc(time.Minute, func() { _ = p.cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	hung.Stop()
	var printed struct{ Address string }
	if err != nil || json.Unmarshal(line, &printed) != nil {
		_ = p.cmd.Wait()
		p.t.Fatalf("serve printed %q, %v: %s", line, err, p.log.end())
	}
	p.done = make(chan error, 1)
	go func(cmd *exec.Cmd, done chan error) { done <- cmd.Wait() }(p.cmd, p.done)
	p.address.Store(printed.Address)
	p.away.Add(1)
}

// kill ends the server as a crash does.
func (p *program) kill() {
	p.away.Add(1)
	_ = p.cmd.Process.Kill()
	<-p.done
}

// stop tells the server to end, which it must do in time and with exit code 0.
func (p *program) stop() {
	p.t.Helper()
	p.away.Add(1)
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-p.done:
		if err != nil {
			p.t.Errorf("after SIGTERM it ended with %v: %s", err, p.log.end())
		}
	case <-time.After(30 * time.Second):
		p.t.Errorf("it has not ended 30 s after SIGTERM: %s", p.log.end())
		_ = p.cmd.Process.Kill()
		<-p.done
	}
}

// command is one of the program's.
func (p *program) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = p.dir, p.env, time.Second
	return cmd
}

// must runs a command that has to succeed.
func (p *program) must(args ...string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if out, err := p.command(ctx, args...).CombinedOutput(); err != nil {
		p.t.Errorf("records %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// tail is the end of what a process writes, and whether a race was found in it.
type tail struct {
	mu   sync.Mutex
	text string
	race bool
}

// Write implements io.Writer.
func (l *tail) Write(p []byte) (int, error) {
	const kept = 16 << 10
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text += string(p)
	l.race = l.race || strings.Contains(l.text, "DATA RACE")
	if !l.race {
		l.text = l.text[max(0, len(l.text)-kept):]
	}
	return len(p), nil
}

// end is the last of it.
func (l *tail) end() string {
	const enough = 3000
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text[max(0, len(l.text)-enough):]
}

// faulty is the text if a race was found, and the last line of a fault of ours.
func (l *tail) faulty() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.race {
		return l.text
	}
	fault := ""
	for line := range strings.Lines(l.text) {
		if strings.Contains(line, "status=500") {
			fault = line
		}
	}
	return fault
}

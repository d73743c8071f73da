package replicas

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"records/internal/programtest"
)

// startWait is how long a process may take until it answers, stopWait until it has
// ended: the promise is 30 seconds.
const (
	startWait = 30 * time.Second
	stopWait  = 30 * time.Second
)

// replica is one process of the program, at an address that it keeps.
type replica struct {
	address string // HOST:PORT
	cmd     *exec.Cmd
	log     programtest.Output
	ended   chan error
}

// serve starts a replica and waits until it listens. Its settings come in pairs of a
// variable's name, without RECORDS_, and a value.
func serve(t *testing.T, program, address string, settings ...string) *replica {
	t.Helper()
	r := &replica{address: address, ended: make(chan error, 1)}
	r.cmd = exec.Command(program, "serve", "--addr", address)
	r.cmd.Dir, r.cmd.Env, r.cmd.Stderr = t.TempDir(), environment(settings), &r.log
	out, err := r.cmd.StdoutPipe()
	if err == nil {
		err = r.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.Contains(line, address) {
		_ = r.cmd.Process.Kill()
		_ = r.cmd.Wait()
		t.Fatalf("serve printed %q, %v: %s", line, err, &r.log)
	}
	go func() { r.ended <- r.cmd.Wait() }()
	t.Cleanup(func() { _ = r.cmd.Process.Kill() })
	return r
}

// environment is that of a program with these settings and no others.
func environment(settings []string) []string {
	all := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.TempDir()}
	for i := 0; i+1 < len(settings); i += 2 {
		all = append(all, "RECORDS_"+settings[i]+"="+settings[i+1])
	}
	return all
}

// stop sends SIGTERM and waits for the exit code 0, which must come in time.
func (r *replica) stop(t *testing.T) {
	t.Helper()
	if err := r.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-r.ended:
		if err != nil {
			t.Errorf("serve ended with %v: %s", err, &r.log)
		}
	case <-time.After(stopWait):
		t.Errorf("serve has not ended %s after SIGTERM", stopWait)
	}
}

// ready reports whether the replica says that it is.
func (r *replica) ready() bool {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+r.address+"/readyz", nil)
	if err != nil {
		return false
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	_ = answer.Body.Close()
	return answer.StatusCode == http.StatusOK
}

// run runs a command of the program to its end.
func run(t *testing.T, program, url string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.Env = t.TempDir(), environment([]string{"DATABASE_URL", url})
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("records %s: %v: %s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// freeAddress is one of the loopback interface that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// until waits for something that must come true.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for began := time.Now(); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Since(began) > startWait {
			t.Fatalf("not after %s: %s", startWait, what)
		}
	}
}

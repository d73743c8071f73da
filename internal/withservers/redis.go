package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// findRedis returns the server program.
func findRedis() string {
	return lookUp("redis-server", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin")
}

// startRedis serves an empty Redis that keeps nothing on disk.
func startRedis(ctx context.Context, program, folder string, _ bool) (*process, string, error) {
	home := filepath.Join(folder, "redis")
	if err := os.Mkdir(home, 0o700); err != nil {
		return nil, "", err
	}
	command := func(port int) *exec.Cmd {
		return exec.Command(program, "--port", strconv.Itoa(port), "--bind", "127.0.0.1",
			"--save", "", "--appendonly", "no", "--dir", home, "--daemonize", "no")
	}
	p, port, err := launchOnFreePort(ctx, filepath.Join(folder, "redis.log"), syscall.SIGTERM, command, redisReady)
	if err != nil {
		return nil, "", err
	}
	return p, fmt.Sprintf("redis://127.0.0.1:%d/0", port), nil
}

// redisReady asks the server for its process id, so that another Redis on the
// same port is not taken for ours.
func redisReady(pid, port int) bool {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), time.Second)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(time.Second)) // at worst the read below waits longer
	if _, err := conn.Write([]byte("INFO server\r\n")); err != nil {
		return false
	}
	var answer strings.Builder
	buffer := make([]byte, 4096)
	for {
		n, err := conn.Read(buffer)
		answer.Write(buffer[:n])
		if strings.Contains(answer.String(), fmt.Sprintf("process_id:%d\r\n", pid)) {
			return true
		}
		if err != nil {
			return false
		}
	}
}

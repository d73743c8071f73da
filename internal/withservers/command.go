package main

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/term"
)

// runCommand runs the command on our own standard streams, passes signals on to
// it, and returns its exit code.
func runCommand(command, environment []string) (int, error) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = environment
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	// In a group of its own, what the command started gets our signals too. Not at
	// a terminal, which lets only our group read, and signals it by itself.
	ownGroup := !term.IsTerminal(int(os.Stdin.Fd()))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: ownGroup}
	killWithParent(cmd.SysProcAttr, syscall.SIGTERM)
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	defer signal.Stop(signals)
	if err := cmd.Start(); err != nil {
		return notRun, err
	}
	target := cmd.Process.Pid
	if ownGroup {
		target = -target
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return exitCode(passOn(signals, target, ended))
}

// passOn hands signals to the process, or the group of a negative number, until
// the process ends. After one it has a while to end by itself.
func passOn(signals <-chan os.Signal, target int, ended <-chan error) error {
	var late <-chan time.Time
	for {
		select {
		case s := <-signals:
			_ = syscall.Kill(target, s.(syscall.Signal)) // fails only if it has ended
			if late == nil {
				late = time.After(stopTimeout)
			}
		case <-late:
			_ = syscall.Kill(target, syscall.SIGKILL)
		case err := <-ended:
			return err
		}
	}
}

// exitCode turns what Wait returned into the exit code that a shell would show.
func exitCode(err error) (int, error) {
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		if err != nil {
			return notRun, err
		}
		return 0, nil
	}
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return 128 + int(status.Signal()), nil
	}
	return exit.ExitCode(), nil
}

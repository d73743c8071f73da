// Command withservers runs a command beside a throwaway PostgreSQL and Redis, with
// programs that tests start themselves, or with another one that it needs:
//
//	go run ./internal/withservers -- go test ./...
//
// The command finds them in TEST_POSTGRES_URL and TEST_REDIS_URL, and the programs in
// TEST_POSTGRES_BIN (a folder), TEST_PGBOUNCER, TEST_NGINX, TEST_CHROMIUM, TEST_CURL and
// TEST_PYTHON. A variable that is set already keeps its server, and none is started for it. What is not installed is installed where apt-get can do so.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// notRun is the exit code when the command was never started, as of `env` and
// `timeout`.
const notRun = 125

func init() {
	// A child's parent-death signal goes out when the thread that started it
	// ends. The main thread ends with the program only.
	runtime.LockOSThread()
}

func main() {
	only := flag.String("only", "", "start these alone, with commas between them: postgres, redis, or find these: postgres-programs, pgbouncer, nginx, chromium, curl, python, node")
	durable := flag.Bool("durable", false, "start a PostgreSQL that keeps what it commits as one in production does, for a benchmark, also where TEST_POSTGRES_URL names another")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: withservers [-only NAME,…] [-durable] -- COMMAND [ARGUMENT...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	code, err := run(*only, *durable, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "withservers:", err)
	}
	os.Exit(code)
}

// run starts what is missing, runs the command, and leaves nothing behind.
func run(only string, durable bool, command []string) (code int, err error) {
	if len(command) == 0 {
		return notRun, errors.New("no command to run; try -h")
	}
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer cancel()
	if err := dieWithParent(); err != nil {
		return notRun, err
	}
	getenv := os.Getenv
	if durable {
		getenv = func(string) string { return "" } // no server that is there will do
	}
	wanted, err := choose(only, getenv)
	if err != nil {
		return notRun, err
	}
	servers, err := startAll(ctx, wanted, durable)
	defer servers.stop()
	if ctx.Err() != nil {
		return notRun, errors.New("interrupted")
	}
	if err != nil {
		return notRun, err
	}
	return runCommand(command, append(os.Environ(), servers.environment...))
}

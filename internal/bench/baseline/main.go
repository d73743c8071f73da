// Command baseline serves tasks as careful hand-written code would: net/http,
// database/sql and prepared statements, no framework. `make bench` measures the
// program against it.
//
// It works on the program's own tables, with the same predicates and the same
// durability, and answers the same bodies. It knows no ceilings, no access log, no
// compression and no description, and it never asks again for a key that it knows:
// what those cost is part of the ratio. The number of a workspace's tasks is kept
// in a table of its own; under /counting a list counts its rows instead.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	url := flag.String("database", "", "the `database` to serve: sqlite:FILE or postgres://…; it must have the program's tables, and its triggers on tasks are dropped")
	addr := flag.String("addr", "127.0.0.1:0", "listen on `host:port`")
	flag.Parse()
	if err := run(*url, *addr); err != nil {
		fmt.Fprintln(os.Stderr, "baseline:", err)
		os.Exit(1)
	}
}

// run serves until it is told to stop, and prints the address once it listens.
func run(url, addr string) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	s, err := open(ctx, url)
	if err != nil {
		return err
	}
	defer s.Close()
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	server := &http.Server{
		Handler:           (&handler{store: s}).routes(),
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      75 * time.Second,
	}
	go func() {
		<-ctx.Done()
		_ = server.Shutdown(context.WithoutCancel(ctx)) // waits for the requests in flight
	}()
	fmt.Println("Listening on http://" + listener.Addr().String())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

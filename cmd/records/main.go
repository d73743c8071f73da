// Command records is the whole program: the server and the commands of its
// operator. See README.md.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"records/config"
	"records/internal/database"
	"records/migrate"
)

func main() {
	// A signal ends what is under way and lets it clean up; a second one ends the program.
	ctx, stop := signal.NotifyContext(context.Background(), endings()...)
	context.AfterFunc(ctx, stop)
	root := newRoot()
	root.SetArgs(config.Args(os.Args[1:]))
	if err := root.ExecuteContext(ctx); err != nil {
		if _, told := errors.AsType[*migrate.Failure](err); database.IsHeldUp(err) && !told {
			err = fmt.Errorf("another process holds what this needs in the database, as an import does; try again when it is done: %w", err)
		}
		if ctx.Err() != nil {
			err = fmt.Errorf("stopped by a signal: %w", err)
		}
		fmt.Fprintln(os.Stderr, "records:", printable(strings.ReplaceAll(err.Error(), "\n", " ")))
		os.Exit(1)
	}
}

// endings are the signals that end the program: that of a terminal which goes, too,
// unless the program was started to outlive it, as by nohup.
func endings() []os.Signal {
	all := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

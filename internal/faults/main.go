// Command faults shows that the tests catch what they are there for: it plants one
// fault at a time in a copy of the source, small changes that let one workspace reach
// another, let a key do what it may not, count wrongly, or lose a write, and wants the
// tests that are named for each to fail.
//
//	go run ./internal/withservers -- go run ./internal/faults
//
// With -suite it runs the property suite against every fault, those too of which the
// list says that it does not catch them, and wants that to be so. With -page it writes docs/faults.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	fs := flag.NewFlagSet("faults", flag.ContinueOnError)
	only := fs.String("only", "", "plant only faults whose name has this `text` in it")
	from := fs.String("from", "", "begin with the first fault whose name has this `text` in it, to go on with a run")
	suite := fs.Bool("suite", false, "run the property suite against every fault")
	toPage := fs.Bool("page", false, "write docs/faults.md, and plant nothing")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if *toPage {
		return os.WriteFile("docs/faults.md", []byte(page(faults())), 0o600)
	}
	chosen := slices.DeleteFunc(faults(), func(f fault) bool { return !strings.Contains(f.name, *only) })
	if i := slices.IndexFunc(chosen, func(f fault) bool { return strings.Contains(f.name, *from) }); i > 0 {
		chosen = chosen[i:]
	}
	if len(chosen) == 0 {
		return fmt.Errorf("no fault has %q in its name", *only)
	}
	source, err := newSource(ctx)
	if err != nil {
		return err
	}
	defer source.remove()
	fmt.Println("running the tests without a fault")
	if err := source.sound(ctx, chosen); err != nil {
		return err
	}
	missed := 0
	for i, f := range chosen {
		tests := f.by
		if *suite && f.unseen != "" {
			tests = append(slices.Clone(f.by), prove)
		}
		fmt.Printf("%d of %d: %s\n", i+1, len(chosen), f.name)
		if !report(f, source.plant(ctx, f, tests)) {
			missed++
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if missed > 0 {
		return fmt.Errorf("%d of %d faults were not caught as the list says", missed, len(chosen))
	}
	fmt.Printf("all %d faults were caught\n", len(chosen))
	return nil
}

// report prints what became of a fault, and whether that is what the list says.
func report(f fault, r result) bool {
	fine := r.err == nil
	if r.err != nil {
		fmt.Println("    ", r.err)
	}
	for _, o := range r.outcomes {
		said := "caught by"
		if !o.caught {
			said = "NOT caught by"
		}
		fmt.Printf("     %s %s in %s\n", said, o.name, o.folder)
		if o.caught != slices.Contains(f.by, o.test) {
			fine = false
			fmt.Printf("     %s\n", strings.ReplaceAll(o.output, "\n", "\n     "))
		}
	}
	if f.held != (test{}) && r.err == nil {
		said := "held by row-level security, in"
		if !r.held {
			said, fine = "NOT held by row-level security, in", false
		}
		fmt.Printf("     %s %s in %s\n", said, f.held.name, f.held.folder)
	}
	fmt.Printf("     took %s\n", r.took)
	return fine
}

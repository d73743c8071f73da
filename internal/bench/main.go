// Command bench measures the program against hand-written code: the real binary
// and the one of ./baseline, served side by side on copies of the same data, and
// loaded in turns. docs/performance.md says how to run it and how to read it.
//
//	go run ./internal/withservers -only postgres -durable -- go run ./internal/bench
//
// It prints a table, and with -markdown the same for the documentation. It never
// judges: a machine has other work too.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	p, err := flags(os.Args[1:])
	if err == nil {
		err = run(p, os.Stdout)
	}
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// flags reads what to measure. BENCH=short is a smaller plan.
func flags(args []string) (plan, error) {
	p := full
	if os.Getenv("BENCH") == "short" {
		p = short
	}
	fs := flag.NewFlagSet("bench", flag.ContinueOnError)
	list := func(to *[]string, name, usage string, known []string) {
		fs.Func(name, usage+" (default "+strings.Join(*to, ",")+")", func(text string) error {
			*to = strings.Split(text, ",")
			for _, one := range *to {
				if !slices.Contains(known, one) {
					return fmt.Errorf("%q is none of %s", one, strings.Join(known, ", "))
				}
			}
			return nil
		})
	}
	list(&p.databases, "databases", "measure on these `databases`", full.databases)
	list(&p.operations, "operations", "measure these `operations`", full.operations)
	sizes, connections := texts(p.sizes), texts(p.connections)
	fs.StringVar(&sizes, "sizes", sizes, "with workspaces of so many `tasks`; "+strconv.Itoa(small)+" stands for the small ones")
	fs.StringVar(&connections, "connections", connections, "over so many `connections` at once")
	fs.IntVar(&p.rounds, "rounds", p.rounds, "measure so many `times`, and take the median")
	fs.DurationVar(&p.round, "round", p.round, "each for so `long`")
	fs.DurationVar(&p.within, "within", p.within, "leave rows out rather than take `longer`")
	fs.BoolVar(&p.rowSecurity, "row-level-security", false, "measure the program with row-level security against itself without, on PostgreSQL")
	fs.StringVar(&p.program, "program", "", "measure this `file` in place of the program built from the source")
	fs.StringVar(&p.against, "against", "", "measure against the program in this `file` in place of the baseline")
	fs.StringVar(&p.markdown, "markdown", "", "write the table for the documentation to this `file`, too")
	if err := fs.Parse(args); err != nil {
		return p, err
	}
	if p.rowSecurity {
		p.databases = []string{"postgres"}
	}
	var err error
	if p.sizes, err = numbers(sizes); err == nil {
		p.connections, err = numbers(connections)
	}
	return p, err
}

func texts(numbers []int) string {
	var all []string
	for _, n := range numbers {
		all = append(all, strconv.Itoa(n))
	}
	return strings.Join(all, ",")
}

func numbers(list string) ([]int, error) {
	var all []int
	for text := range strings.SplitSeq(list, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a number above 0", text)
		}
		all = append(all, n)
	}
	return all, nil
}

// run measures what is planned and prints it.
func run(p plan, to io.Writer) error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	begin := time.Now()
	folder, err := os.MkdirTemp("", "records-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	built, err := build(ctx, folder, p.program)
	if err != nil {
		return err
	}
	report := report{machine: describeMachine(), plan: p}
	for i, name := range p.databases {
		until := begin.Add(p.within * time.Duration(i+1) / time.Duration(len(p.databases)))
		s, err := prepare(ctx, name, folder, built, p)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		err = s.measure(ctx, p, until, &report)
		s.close()
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	report.took = time.Since(begin)
	report.text(to)
	if p.markdown == "" {
		return nil
	}
	file, err := os.Create(p.markdown)
	if err != nil {
		return err
	}
	report.markdown(file)
	return file.Close()
}

// say tells a person how far it is.
func say(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "bench: "+format+"\n", args...)
}

package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"records/config"
	"records/internal/doctor"
)

func newDoctor() *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Look for what is wrong in the deployment, and mend it if asked to", Args: cobra.NoArgs, RunE: runDoctor,
		Long: `Look for what is wrong in the deployment: settings that do not fit together; Redis; the
database server, its version, its settings and whether it can be reached; migrations;
and in the database the tables, their keys, indexes and triggers, the counts that lists
answer with, and whether all that a row refers to is there, in its own workspace. Of
each finding it says what it is, why it matters and what to do. Others may go on writing
meanwhile. It takes the settings of the server: run it with the same.

The exit code is 0 if all is well, and 1 if something is wrong; with --repair, if
something still is. --repair puts the counts right, and what tells servers of changed
keys; it changes nothing else.`,
	}
	cmd.Flags().Bool("repair", false, "put right what can be, in one transaction")
	return cmd
}

func runDoctor(cmd *cobra.Command, _ []string) error {
	c, err := config.Load(cmd.Flags())
	if err != nil {
		return err
	}
	options := ofRequests(c)
	options.ByIndex, options.MustExist = false, true // it reads whole tables
	out := printerOf(cmd)
	a, err := openWith(cmd, c, options)
	if err != nil {
		return errors.Join(out.faults(doctor.Unopened(cmd.Context(), c, err)), errSomethingWrong)
	}
	defer a.db.Close()
	faults, failed := doctor.Visit(cmd.Context(), doctor.Deployment{Config: c, DB: a.db}, flag(cmd, "repair") == "true")
	if failed != nil && len(faults) == 0 {
		return failed
	}
	left := 0
	for _, f := range faults {
		if !f.Mended {
			left++
		}
	}
	if err := errors.Join(out.faults(faults), failed); err != nil {
		return err
	}
	if left > 0 {
		return errSomethingWrong
	}
	return nil
}

var errSomethingWrong = errors.New("something is wrong")

func (p printer) faults(faults []doctor.Fault) error {
	if p.asJSON {
		return p.result(map[string]any{"faults": faults}, "")
	}
	for _, f := range faults {
		remedy := f.Remedy
		if f.Mended {
			remedy = "It was put right."
		}
		fmt.Fprintf(p.to, "%s: %s\n  %s\n  %s\n", f.Check, printable(f.What), printable(f.Why), printable(remedy))
	}
	if len(faults) == 0 {
		return p.result(nil, "Nothing is wrong.")
	}
	return nil
}

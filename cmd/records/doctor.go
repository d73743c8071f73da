package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"records/internal/doctor"
)

func newDoctor() *cobra.Command {
	cmd := &cobra.Command{
		Use: "doctor", Short: "Look for what is wrong in the database, and mend it if asked to", Args: cobra.NoArgs, RunE: runDoctor,
		Long: `Look for what is wrong in the database: whether the counts that lists answer with are
how many records there are, in every workspace; whether the triggers that keep them
are there; and whether servers can learn that a key was changed. Others may go on
writing meanwhile.

The exit code is 1 if something is wrong; with --repair, if something still is.`,
	}
	cmd.Flags().Bool("repair", false, "put right what is wrong, in one transaction")
	return cmd
}

func runDoctor(cmd *cobra.Command, _ []string) error {
	a, err := openWhole(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	faults, err := doctor.Examine(cmd.Context(), a.db, flag(cmd, "repair") == "true")
	if err != nil {
		return err
	}
	left := 0
	for _, f := range faults {
		if !f.Mended {
			left++
		}
	}
	if err := a.printFaults(faults); err != nil {
		return err
	}
	if left > 0 {
		return errors.New("something is wrong with the database")
	}
	return nil
}

func (a *app) printFaults(faults []doctor.Fault) error {
	if a.print.asJSON {
		return a.print.result(map[string]any{"faults": faults}, "")
	}
	for _, f := range faults {
		remedy := f.Remedy
		if f.Mended {
			remedy = "It was put right."
		}
		fmt.Fprintf(a.print.to, "%s: %s\n  %s\n", f.Check, f.What, remedy)
	}
	if len(faults) == 0 {
		return a.print.result(nil, "Nothing is wrong.")
	}
	return nil
}

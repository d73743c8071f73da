package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"records/migrate"
)

func newMigrate() *cobra.Command {
	cmd := newGroup("migrate", "The schema of the database")
	up := &cobra.Command{Use: "up", Short: "Apply the pending migrations", Args: cobra.NoArgs, RunE: migrateUp}
	up.Flags().Bool("dry-run", false, "print what would be run, and change nothing")
	cmd.AddCommand(up, &cobra.Command{Use: "status", Short: "List the migrations and whether the database has them", Args: cobra.NoArgs, RunE: migrateStatus})
	return cmd
}

func migrateUp(cmd *cobra.Command, _ []string) error {
	a, err := openUnchecked(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	if flag(cmd, "dry-run") == "true" {
		return printPending(cmd, a)
	}
	applied, err := migrate.Up(cmd.Context(), a.db)
	if err != nil {
		return err
	}
	return a.print.result(map[string]any{"applied": append([]string{}, applied...)}, "Applied %d migrations.", len(applied))
}

func printPending(cmd *cobra.Command, a *app) error {
	pending, err := migrate.Pending(cmd.Context(), a.db)
	if err != nil {
		return err
	}
	if a.print.asJSON {
		return a.print.result(map[string]any{"pending": append([]string{}, pending...)}, "")
	}
	for _, name := range pending {
		script, err := migrate.Script(a.db, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.print.to, "-- %s\n%s\n", name, script)
	}
	return a.print.result(nil, "-- %d migrations are pending; nothing was changed.", len(pending))
}

func migrateStatus(cmd *cobra.Command, _ []string) error {
	a, err := openUnchecked(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	states, err := migrate.Status(cmd.Context(), a.db)
	if err != nil {
		return err
	}
	rows := make([]string, len(states))
	for i, s := range states {
		word := "pending"
		if s.Applied {
			word = "applied"
		}
		rows[i] = word + "\t" + s.Name
	}
	return a.print.table(states, "STATE\tMIGRATION", rows)
}

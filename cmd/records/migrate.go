package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"records/internal/database"
	"records/migrate"
)

func newMigrate() *cobra.Command {
	cmd := newGroup("migrate", "The schema of the database")
	up := &cobra.Command{
		Use: "up", Short: "Apply the pending migrations", Args: cobra.NoArgs, RunE: migrateUp,
		Long: `Apply the pending migrations, one after the other, each in a transaction.

A migration that has to wait for locks longer than database.lock_timeout, all its
statements together, is rolled back and tried again, for database.lock_patience, so
that no traffic queues up behind it. The first migration that fails ends the run; what
was applied before it stays, and of itself nothing, or what the next run repairs.`,
	}
	up.Flags().Bool("dry-run", false, "print what would be run, or why it would be refused, and change nothing")
	cmd.AddCommand(up,
		&cobra.Command{Use: "status", Short: "List the migrations and whether the database has them", Args: cobra.NoArgs, RunE: migrateStatus},
		newMigrateLint(),
		newMigrateRehearse(),
	)
	return cmd
}

func migrateUp(cmd *cobra.Command, _ []string) error {
	dryRun := flag(cmd, "dry-run") == "true"
	a, err := openUnchecked(cmd, database.Options{MustExist: dryRun})
	if err != nil {
		return err
	}
	defer a.db.Close()
	standing, err := migrate.Embedded.Due(cmd.Context(), a.db)
	if err != nil {
		return err
	}
	if dryRun {
		return a.printPending(standing)
	}
	applied, err := migrate.Embedded.Up(cmd.Context(), a.db, a.migrateOptions())
	if err != nil {
		return err
	}
	kept, err := a.keepRowSecurity(cmd.Context())
	if err != nil {
		return err
	}
	result := map[string]any{"applied": append([]string{}, applied...)}
	text := fmt.Sprintf("Migrations applied: %d.", len(applied)) + kept
	if len(standing.Newer) > 0 {
		result["newer"] = standing.Newer
		text += " The database was migrated by a newer version of records, which this one can serve: " + strings.Join(standing.Newer, ", ") + "."
	}
	return a.print.result(result, "%s", text)
}

func (a *app) printPending(standing migrate.Standing) error {
	if a.print.asJSON {
		return a.print.result(map[string]any{"pending": append([]string{}, standing.Pending...)}, "")
	}
	for _, name := range standing.Pending {
		script, err := migrate.Embedded.Script(a.db, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.print.to, "-- %s\n%s\n", name, script)
	}
	return a.print.result(nil, "-- Migrations pending: %d. Nothing was changed.", len(standing.Pending))
}

func migrateStatus(cmd *cobra.Command, _ []string) error {
	a, err := openUnchecked(cmd, database.Options{MustExist: true})
	if err != nil {
		return err
	}
	defer a.db.Close()
	states, err := migrate.Embedded.Status(cmd.Context(), a.db)
	if err != nil {
		return err
	}
	rows := make([][]string, len(states))
	for i, s := range states {
		word := "pending"
		switch {
		case s.Newer:
			word = "newer than this program"
		case s.Applied:
			word = "applied"
		}
		rows[i] = []string{word, s.Name}
	}
	return a.print.table(states, []string{"STATE", "MIGRATION"}, rows)
}

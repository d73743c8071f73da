package main

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"records/internal/database"
	"records/migrate"
	"records/migrate/lint"
)

func newMigrateLint() *cobra.Command {
	cmd := &cobra.Command{
		Use: "lint", Short: "Name what is unsafe in the pending migrations", Args: cobra.NoArgs, RunE: migrateLint,
		Long: `Name each statement of the pending migrations that destroys data, rewrites or
locks a table, or breaks the version of the program that is still running, with
the reason and the safe way. What is done to a table that is created in the same
step is harmless. The exit code is 1 if anything unsafe was found.

A comment directly above a statement silences rules, and must give a reason:

  -- records: allow destroys, breaks: no version since 1.4 uses the column

Where older programs cannot serve what is left, and are to refuse the database, it
says so instead of allowing breaks. That is told, and is no fault:

  -- records: allow destroys: nobody uses it
  -- records: shuts out older programs: all replicas are stopped for this release

Without --all and --since it asks the database what is pending; with them it needs
none and looks at both databases' migrations.`,
	}
	cmd.Flags().Bool("all", false, "every migration, each as a step of its own")
	cmd.Flags().String("since", "", "the migrations after this `version`, such as 20261121073704, as one step")
	cmd.MarkFlagsMutuallyExclusive("all", "since")
	return cmd
}

func migrateLint(cmd *cobra.Command, _ []string) error {
	findings, to, err := lintFindings(cmd)
	if err != nil {
		return err
	}
	if err := printFindings(to, findings); err != nil {
		return err
	}
	if unsafe := lint.Unsafe(findings); len(unsafe) > 0 {
		return fmt.Errorf("findings in the migrations: %d", len(unsafe))
	}
	return nil
}

// lintFindings judges what the flags name.
func lintFindings(cmd *cobra.Command) ([]lint.Finding, printer, error) {
	to := printerOf(cmd)
	switch since := flag(cmd, "since"); {
	case flag(cmd, "all") == "true":
		findings, err := migrate.Embedded.LintAll()
		return findings, to, err
	case cmd.Flags().Changed("since"):
		version, err := strconv.ParseInt(since, 10, 64)
		if err != nil || version < 0 {
			return nil, to, errors.New("since must be the version of a migration, such as 20261121073704")
		}
		findings, err := migrate.Embedded.LintSince(version)
		return findings, to, err
	}
	a, err := openUnchecked(cmd, database.Options{MustExist: true})
	if err != nil {
		return nil, to, err
	}
	defer a.db.Close()
	findings, err := migrate.Embedded.Lint(cmd.Context(), a.db)
	return findings, a.print, err
}

// printFindings prints what was found, a paragraph each.
func printFindings(to printer, findings []lint.Finding) error {
	if to.asJSON {
		return to.result(map[string]any{"findings": append([]lint.Finding{}, findings...)}, "")
	}
	for _, f := range findings {
		advice := "Instead: " + f.Recipe
		if f.Known != "" {
			advice = "Known: " + f.Known + ". Older programs will refuse the database: stop them before it is applied"
		}
		fmt.Fprintf(to.to, "%s/%s:%d: %s: %s\n  %s.\n  %s.\n", f.Dialect, f.File, f.Line, f.Rule, f.Statement, f.Why, advice)
	}
	if len(findings) == 0 {
		return to.result(nil, "Nothing unsafe was found.")
	}
	return nil
}

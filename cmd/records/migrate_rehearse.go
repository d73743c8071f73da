package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"records/internal/database"
	"records/migrate"
	"records/migrate/rehearse"
)

func newMigrateRehearse() *cobra.Command {
	cmd := &cobra.Command{
		Use: "rehearse", Short: "Run the pending migrations on a copy, and tell what they do", Args: cobra.NoArgs, RunE: migrateRehearse,
		Long: `Run the pending migrations on a copy of the database, and tell for each statement
the rows it wrote, the time it took, the locks it took and the tables that it wrote
anew. The original is left as it is, and the copy is removed afterwards.

SQLite: the file is copied into the temporary folder. PostgreSQL: a database is made
on the same server, from the original as a template if nobody is connected to it,
else with pg_dump and psql. With --copy, a copy that is there already is used; what
runs in it is rolled back, and CONCURRENTLY is left out.

The exit code is 1 if a migration fails.`,
	}
	cmd.Flags().String("copy", "", "the `URL` of a copy of the PostgreSQL database, such as a restored backup")
	return cmd
}

func migrateRehearse(cmd *cobra.Command, _ []string) error {
	ctx := cmd.Context()
	a, err := openUnchecked(cmd, database.Options{MustExist: true})
	if err != nil {
		return err
	}
	if err := a.db.Close(); err != nil { // it would keep the database from being a template
		return err
	}
	o := rehearse.Options{Copy: flag(cmd, "copy"), Migrate: a.migrateOptions()}
	report, err := rehearse.Run(ctx, migrate.Embedded, a.config.Database.URL, o)
	if left, ok := errors.AsType[*rehearse.LeftError](err); ok && ctx.Err() != nil {
		return fmt.Errorf("the rehearsal was stopped: %w", left)
	}
	if ctx.Err() != nil {
		return errors.New("the rehearsal was stopped, and its copy removed")
	}
	if err != nil {
		return err
	}
	if err := a.printReport(report); err != nil {
		return err
	}
	if report.Failed != "" {
		return errors.New("the rehearsal failed: " + report.Failed)
	}
	return nil
}

func (a *app) printReport(report rehearse.Report) error {
	if a.print.asJSON {
		return a.print.result(report, "")
	}
	to := a.print.to
	fmt.Fprintf(to, "Migrations rehearsed: %d, on %s.\n", len(report.Pending), report.Copy)
	total, file := 0.0, ""
	for _, s := range report.Statements {
		if s.File != file {
			fmt.Fprintf(to, "\n%s\n", s.File)
			file = s.File
		}
		fmt.Fprintf(to, "  line %d: %s\n    %.1f ms, %d rows%s\n", s.Line, s.Statement, s.Milliseconds, s.Rows, anew(s.Rewritten))
		for _, l := range s.Locks {
			fmt.Fprintf(to, "    %s on %s: %s\n", l.Mode, l.Relation, l.Blocks)
		}
		total += s.Milliseconds
	}
	fmt.Fprintf(to, "\n%s\n\n", summary(report, total))
	return printFindings(a.print, report.Findings)
}

func anew(tables []string) string {
	if len(tables) == 0 {
		return ""
	}
	return ", written anew: " + strings.Join(tables, ", ")
}

// summary names the slowest statement, and the strongest lock.
func summary(report rehearse.Report, total float64) string {
	text := fmt.Sprintf("In all %d statements in %.1f ms.", len(report.Statements), total)
	if len(report.Statements) == 0 {
		return text
	}
	slowest := report.Statements[0]
	for _, s := range report.Statements {
		if s.Milliseconds > slowest.Milliseconds {
			slowest = s
		}
	}
	text += fmt.Sprintf(" The slowest: %s, line %d.", slowest.File, slowest.Line)
	if lock, ok := rehearse.Strongest(report); ok {
		text += fmt.Sprintf(" The strongest lock: %s on %s: %s.", lock.Mode, lock.Relation, lock.Blocks)
	}
	return text
}

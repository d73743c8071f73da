package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"entgo.io/ent/dialect"
	"github.com/spf13/cobra"

	"records/config"
	"records/internal/database"
	"records/internal/rowsecurity"
)

func newRowSecurity() *cobra.Command {
	cmd := newGroup("row-level-security", "A further wall between workspaces, kept by PostgreSQL")
	on := &cobra.Command{
		Use: "on --role ROLE", Short: "Confine a role of PostgreSQL to one workspace at a time", Args: cobra.NoArgs, RunE: rowSecurityOn,
		Long: `Confine a role of PostgreSQL to one workspace at a time, in the tables of all records
and of their counts. The role is the one that the program connects as with
database.row_level_security=true; it must not own the tables. Other roles are not
touched by it. Run this as the owner of the tables. It may be run again, for another
role too, which then takes the place of the one before.`,
	}
	on.Flags().StringSlice("role", nil, "the `role`, or several, separated by commas")
	require(on, "role")
	cmd.AddCommand(on,
		&cobra.Command{Use: "off", Short: "Take it away again", Args: cobra.NoArgs, RunE: rowSecurityOff})
	return cmd
}

func rowSecurityOn(cmd *cobra.Command, _ []string) error {
	roles, err := cmd.Flags().GetStringSlice("role")
	if err != nil {
		return err
	}
	a, err := openAsOwner(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	if err := rowsecurity.On(cmd.Context(), a.db, a.config.Database.LockTimeout, roles...); err != nil {
		return again(err)
	}
	return a.print.result(map[string]any{"roles": roles, "tables": rowsecurity.Tables()},
		"%s confined to one workspace at a time in %s.", areConfined(roles), strings.Join(rowsecurity.Tables(), ", "))
}

func rowSecurityOff(cmd *cobra.Command, _ []string) error {
	a, err := openAsOwner(cmd)
	if err != nil {
		return err
	}
	defer a.db.Close()
	if err := rowsecurity.Off(cmd.Context(), a.db, a.config.Database.LockTimeout); err != nil {
		return again(err)
	}
	return a.print.result(map[string]any{"tables": rowsecurity.Tables()}, "Row-level security is off in %s.", strings.Join(rowsecurity.Tables(), ", "))
}

// openAsOwner opens a PostgreSQL whose schema is up to date, for who may change it.
func openAsOwner(cmd *cobra.Command) (*app, error) {
	a, err := openUnchecked(cmd, database.Options{MustExist: true})
	if err == nil && a.db.Dialect() != dialect.Postgres {
		return nil, errors.Join(database.ErrNoRowSecurity, a.db.Close())
	}
	return a.ready(cmd, err)
}

// again says what to do where others hold a table.
func again(err error) error {
	if database.IsHeldUp(err) {
		return fmt.Errorf("others hold the table: run it again, or with a longer database.lock_timeout: %w", err)
	}
	return err
}

func areConfined(roles []string) string {
	if len(roles) == 1 {
		return fmt.Sprintf("The role %s is", roles[0])
	}
	return fmt.Sprintf("The roles %s are", strings.Join(roles, ", "))
}

// confined are the tables in which the sessions of a command are confined, if that is
// set.
func confined(c config.Config) []string {
	if !c.Database.RowSecurity {
		return nil
	}
	return rowsecurity.Tables()
}

// checkRowSecurity refuses a role that PostgreSQL confines to one workspace at a time,
// where the program does not say which: it would see no record at all, and take that
// for the truth.
func (a *app) checkRowSecurity(ctx context.Context) error {
	hidden, err := rowsecurity.Hidden(ctx, a.db)
	if err != nil || len(hidden) == 0 {
		return err
	}
	return fmt.Errorf("PostgreSQL confines this role to one workspace at a time in %s: connect as the owner of the tables or, for what acts in one workspace, set database.row_level_security=true", strings.Join(hidden, ", "))
}

// keepRowSecurity brings what a migration has added under row-level security, where
// it is on. It returns what to say of it.
func (a *app) keepRowSecurity(ctx context.Context) (string, error) {
	if a.db.Dialect() != dialect.Postgres {
		return "", nil
	}
	roles, err := rowsecurity.Keep(ctx, a.db, a.config.Database.LockTimeout)
	switch {
	case err != nil:
		return "", fmt.Errorf("the migrations were applied, but new tables are not under row-level security yet: run `records row-level-security on` again: %w", err)
	case len(roles) == 0:
		return "", nil
	}
	return fmt.Sprintf(" %s confined in all tables.", areConfined(roles)), nil
}

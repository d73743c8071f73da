package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"os/exec"

	"records/internal/database"
)

// newRole makes a role that the program connects as under row-level security.
func (s *stage) newRole(ctx context.Context, admin *sql.DB) (string, error) {
	role := fmt.Sprintf("records_bench_%d", os.Getpid())
	s.tidy = append(s.tidy, func() error {
		_, err := admin.ExecContext(context.WithoutCancel(ctx), "DROP ROLE IF EXISTS "+role)
		return err
	})
	_, err := admin.ExecContext(ctx, "CREATE ROLE "+role+" LOGIN")
	return role, err
}

// confine puts a loaded database under row-level security with the program itself,
// and returns the URL of the role that is confined.
func confine(ctx context.Context, program, owner, role string) (string, error) {
	db, err := database.Open(owner, database.Options{MaxConns: 1})
	if err != nil {
		return "", err
	}
	defer db.Close()
	if _, err := db.SQL().ExecContext(ctx, "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO "+role); err != nil { //nolint:gosec // the name is the harness's own
		return "", err
	}
	on := exec.CommandContext(ctx, program, "row-level-security", "on", "--role", role, "--database.url", owner)
	if out, err := on.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	u, err := url.Parse(owner)
	if err != nil {
		return "", err
	}
	u.User = url.User(role)
	return u.String(), nil
}

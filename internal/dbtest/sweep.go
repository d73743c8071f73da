package dbtest

import (
	"context"
	"database/sql"
	"strconv"
	"strings"
)

// prefix begins the name of every database that a test makes.
const prefix = "records_test_"

// claim takes the lock on the process's tag, in a session that lasts as long as
// the process.
func (s *server) claim(ctx context.Context, tag int32) error {
	conn, err := s.admin.Conn(ctx)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, "SELECT pg_advisory_lock($1)", tag)
	return err
}

// sweep drops the databases of processes that have ended, and then their roles. A
// process cannot drop its own template: nothing tells it that its last test is over.
func (s *server) sweep(ctx context.Context) error {
	conn, err := s.admin.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	databases, err := s.databases(ctx)
	if err != nil {
		return err
	}
	for _, name := range databases {
		if err := s.drop(ctx, conn, name, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)"); err != nil {
			return err
		}
	}
	roles, err := s.names(ctx, "SELECT rolname FROM pg_roles WHERE starts_with(rolname, $1)")
	if err != nil {
		return err
	}
	for _, name := range roles {
		// A process may have ended since its databases were looked at: the next sweep
		// drops them, and its role.
		if err := s.drop(ctx, conn, name, "DO $$ BEGIN DROP ROLE IF EXISTS "+name+"; EXCEPTION WHEN dependent_objects_still_exist THEN NULL; END $$"); err != nil {
			return err
		}
	}
	return nil
}

// drop runs a statement that drops what has a name, if the process that made it has
// ended.
func (s *server) drop(ctx context.Context, conn *sql.Conn, name, statement string) error {
	tag, ours := tagOf(name)
	if !ours || strings.HasPrefix(name, s.name) {
		return nil
	}
	var free bool
	if err := conn.QueryRowContext(ctx, "SELECT pg_try_advisory_lock($1)", tag).Scan(&free); err != nil || !free {
		return err
	}
	if _, err := conn.ExecContext(ctx, statement); err != nil {
		return err
	}
	_, err := conn.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", tag)
	return err
}

// tagOf reads the tag out of a name, if it has one.
func tagOf(name string) (tag int64, ok bool) {
	hex, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), "_")
	tag, err := strconv.ParseInt(hex, 16, 32)
	return tag, err == nil
}

// databases lists the databases of all test processes.
func (s *server) databases(ctx context.Context) ([]string, error) {
	return s.names(ctx, "SELECT datname FROM pg_database WHERE starts_with(datname, $1)")
}

// names returns what a query gives for the prefix.
func (s *server) names(ctx context.Context, query string) ([]string, error) {
	rows, err := s.admin.QueryContext(ctx, query, prefix)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

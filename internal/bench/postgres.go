package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"

	"records/internal/database"
)

// postgres loads a database on the server of TEST_POSTGRES_URL, and copies it. The
// server runs on this machine: its CPU is read there.
func (s *stage) postgres(ctx context.Context, _, program string, p plan) (ours, theirs string, err error) {
	server, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	if err != nil || server.Host == "" {
		return "", "", errors.New("TEST_POSTGRES_URL names no server: run make bench")
	}
	db, err := database.Open(server.String(), database.Options{MaxConns: 1})
	if err != nil {
		return "", "", err
	}
	s.tidy = append(s.tidy, db.Close)
	admin := db.SQL()
	if err := s.lookAt(ctx, admin); err != nil {
		return "", "", err
	}
	var urls [2]string
	role := ""
	if p.rowSecurity {
		if role, err = s.newRole(ctx, admin); err != nil {
			return "", "", err
		}
	}
	names := []string{fmt.Sprintf("records_bench_%d_program", os.Getpid()), fmt.Sprintf("records_bench_%d_baseline", os.Getpid())}
	for i, name := range names {
		template := "template1"
		if i == 1 {
			template = names[0]
		}
		if _, err := admin.ExecContext(ctx, fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s STRATEGY file_copy", name, template)); err != nil {
			return "", "", err
		}
		s.tidy = append(s.tidy, func() error {
			_, err := admin.ExecContext(context.WithoutCancel(ctx), "DROP DATABASE "+name+" WITH (FORCE)")
			return err
		})
		at := *server
		at.Path = "/" + name
		if urls[i] = at.String(); i == 0 {
			if s.data, err = load(ctx, program, urls[0], p); err != nil {
				return "", "", err
			}
		}
	}
	if p.rowSecurity {
		urls[0], err = confine(ctx, program, urls[0], role)
	}
	return urls[0], urls[1], err
}

// lookAt finds the server's process, and what the figures depend on.
func (s *stage) lookAt(ctx context.Context, admin *sql.DB) error {
	var backend int
	var settings [4]string
	row := admin.QueryRowContext(ctx, `SELECT pg_backend_pid(), current_setting('server_version'),
		current_setting('fsync'), current_setting('synchronous_commit'), current_setting('shared_buffers')`)
	if err := row.Scan(&backend, &settings[0], &settings[1], &settings[2], &settings[3]); err != nil {
		return err
	}
	process, err := readStat(backend) // whose parent started it
	if err != nil {
		return fmt.Errorf("the server of TEST_POSTGRES_URL does not run on this machine: %w", err)
	}
	s.databaseCPU = treeCPU(process.parent)
	number, _, _ := strings.Cut(settings[0], " ")
	s.version = fmt.Sprintf("PostgreSQL %s (fsync %s, synchronous_commit %s, shared_buffers %s)", number, settings[1], settings[2], settings[3])
	return nil
}

// sqliteVersion asks the SQLite that is part of the program.
func sqliteVersion(ctx context.Context, path string) (string, error) {
	db, err := database.Open("sqlite:"+path, database.Options{MaxConns: 1})
	if err != nil {
		return "", err
	}
	defer db.Close()
	var version string
	err = db.SQL().QueryRowContext(ctx, "SELECT sqlite_version()").Scan(&version)
	return "SQLite " + version + " (journal_mode WAL, synchronous FULL)", err
}

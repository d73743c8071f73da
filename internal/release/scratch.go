package main

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"records/internal/database"
)

// scratch opens an empty database of a dialect. drop takes it away again.
func scratch(ctx context.Context, folder string) (db *database.DB, drop func(), err error) {
	if folder == "sqlite" {
		return scratchFile()
	}
	return scratchPostgres(ctx, fmt.Sprintf("records_release_%d_%d", os.Getpid(), time.Now().UnixNano()))
}

func scratchFile() (*database.DB, func(), error) {
	dir, err := os.MkdirTemp("", "records-release-")
	if err != nil {
		return nil, nil, err
	}
	db, err := database.Open("sqlite:"+filepath.Join(dir, "records.db"), database.Options{})
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, nil, err
	}
	return db, func() { _ = db.Close(); _ = os.RemoveAll(dir) }, nil
}

// scratchPostgres makes a database on the server of TEST_POSTGRES_URL.
func scratchPostgres(ctx context.Context, name string) (*database.DB, func(), error) {
	server, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	if err != nil || server.Scheme == "" {
		return nil, nil, errors.New("TEST_POSTGRES_URL is not the URL of a PostgreSQL: run `make release`, which starts one")
	}
	admin, err := database.Open(server.String(), database.Options{})
	if err != nil {
		return nil, nil, err
	}
	if _, err := admin.SQL().ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		_ = admin.Close()
		return nil, nil, err
	}
	server.Path = "/" + name
	db, err := database.Open(server.String(), database.Options{})
	drop := func() {
		if db != nil {
			_ = db.Close()
		}
		_, _ = admin.SQL().ExecContext(ctx, "DROP DATABASE "+name+" WITH (FORCE)")
		_ = admin.Close()
	}
	if err != nil {
		drop()
	}
	return db, drop, err
}

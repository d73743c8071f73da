// Package scratchdb makes empty databases that are thrown away: for the generator
// of the migrations, for a release, for tests.
package scratchdb

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// prefix begins the names on a PostgreSQL server. One that a killed process has
// left behind can be dropped.
const prefix = "records_scratch_"

// dropTimeout bounds the removal, also after the work was told to stop.
const dropTimeout = 30 * time.Second

// Open makes a database and opens it: of the dialect "postgres" as [Postgres] does,
// else a SQLite file in the temporary folder. drop closes and removes it.
func Open(ctx context.Context, dialectName, starter string) (db *database.DB, drop func() error, err error) {
	var address string
	var remove func() error
	if dialectName == dialect.Postgres {
		address, remove, err = Postgres(ctx, starter)
	} else {
		address, remove, err = file()
	}
	if err != nil {
		return nil, nil, err
	}
	db, err = database.Open(address, database.Options{})
	if err != nil {
		return nil, nil, errors.Join(err, remove())
	}
	return db, func() error { return errors.Join(db.Close(), remove()) }, nil
}

func file() (address string, remove func() error, err error) {
	folder, err := os.MkdirTemp("", "records-scratch-")
	return "sqlite:" + filepath.Join(folder, "records.db"), func() error { return os.RemoveAll(folder) }, err
}

// Postgres makes a database on the server of TEST_POSTGRES_URL, and returns its URL.
// starter is the command that starts such a server, for whoever has none.
func Postgres(ctx context.Context, starter string) (address string, drop func() error, err error) {
	server, err := url.Parse(os.Getenv("TEST_POSTGRES_URL"))
	if err != nil || server.Scheme == "" {
		return "", nil, fmt.Errorf("TEST_POSTGRES_URL is not the URL of a PostgreSQL: run `%s`, which starts one", starter)
	}
	if !strings.HasPrefix(server.Scheme, "postgres") {
		return "", nil, errors.New("TEST_POSTGRES_URL must begin with postgres://")
	}
	name := prefix + strings.ToLower(rand.Text())
	if err := execute(ctx, server.String(), "CREATE DATABASE "+name); err != nil {
		return "", nil, err
	}
	drop = func() error {
		ctx, cancel := context.WithTimeout(context.Background(), dropTimeout)
		defer cancel()
		return execute(ctx, server.String(), "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	}
	made := *server
	made.Path = "/" + name
	return made.String(), drop, nil
}

func execute(ctx context.Context, address, query string) error {
	db, err := database.Open(address, database.Options{MaxConns: 1})
	if err != nil {
		return err
	}
	_, err = db.SQL().ExecContext(ctx, query)
	return errors.Join(err, db.Close())
}

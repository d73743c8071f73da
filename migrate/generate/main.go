// Command generate writes the next migration of both dialects from the Ent
// schemas: `make migration name=add_tickets`. It needs a PostgreSQL server to
// replay the migrations in, which make starts for it.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/migrate/diff"
)

func main() {
	name := flag.String("name", "schema", "what the migration does, in a word or two")
	folder := flag.String("folder", "migrate", "where the folders of the dialects are")
	flag.Parse()
	if err := run(context.Background(), *folder, *name); err != nil {
		fmt.Fprintln(os.Stderr, "migration:", err)
		os.Exit(1)
	}
}

// run writes both dialects under one version, so that they go in step.
func run(ctx context.Context, folder, name string) error {
	version := time.Now().UTC().Format("20060102150405")
	scratch, err := os.MkdirTemp("", "records-migration-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	if err := write(ctx, "sqlite:"+filepath.Join(scratch, "dev.db"), filepath.Join(folder, "sqlite"), version, name); err != nil {
		return err
	}
	devURL, drop, err := scratchPostgres(ctx, "records_dev_"+version)
	if err != nil {
		return err
	}
	defer drop()
	return write(ctx, devURL, filepath.Join(folder, "postgres"), version, name)
}

func write(ctx context.Context, devURL, folder, version, name string) error {
	dev, err := database.Open(devURL, database.Options{})
	if err != nil {
		return err
	}
	defer dev.Close()
	changed, err := diff.Write(ctx, dev, folder, version, name)
	if err != nil {
		return fmt.Errorf("%s: %w", dev.Dialect(), err)
	}
	if changed {
		fmt.Printf("%s: wrote %s\n", dev.Dialect(), filepath.Join(folder, version+"_"+name+".sql"))
	} else {
		fmt.Printf("%s: the migrations give what the schemas declare\n", dev.Dialect())
	}
	return nil
}

// scratchPostgres makes an empty database on the server of TEST_POSTGRES_URL.
func scratchPostgres(ctx context.Context, name string) (string, func(), error) {
	server := os.Getenv("TEST_POSTGRES_URL")
	if server == "" {
		return "", nil, errors.New("TEST_POSTGRES_URL is not set: run `make migration`, which starts a PostgreSQL for it")
	}
	admin, err := database.Open(server, database.Options{})
	if err != nil {
		return "", nil, err
	}
	if admin.Dialect() != dialect.Postgres {
		return "", nil, errors.New("TEST_POSTGRES_URL must begin with postgres://")
	}
	drop := func() {
		_, _ = admin.SQL().ExecContext(ctx, `DROP DATABASE IF EXISTS "`+name+`" WITH (FORCE)`)
		_ = admin.Close()
	}
	if err := create(ctx, admin.SQL(), name); err != nil {
		drop()
		return "", nil, err
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", nil, err
	}
	u.Path = "/" + name
	return u.String(), drop, nil
}

func create(ctx context.Context, admin *sql.DB, name string) error {
	_, err := admin.ExecContext(ctx, `CREATE DATABASE "`+name+`"`)
	return err
}

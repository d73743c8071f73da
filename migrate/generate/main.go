// Command generate writes the next migration of both dialects from the Ent
// schemas: `make migration name=add_tickets`. It needs a PostgreSQL server to
// replay the migrations in, which make starts for it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/database"
	"records/migrate/diff"
)

func main() {
	name := flag.String("name", "schema", "what the migration does, in a word or two")
	reason := flag.String("reason", "", "why data may be lost, or a running program broken")
	released := flag.Int64("released", 0, "the `version` of the last released migration; without it all are taken for released")
	folder := flag.String("folder", "migrate", "where the folders of the dialects are")
	sums := flag.Bool("sums", false, "only renew the checksums, after a migration was written or amended by hand")
	flag.Parse()
	var err error
	if *sums {
		err = errors.Join(diff.Sum(filepath.Join(*folder, "postgres")), diff.Sum(filepath.Join(*folder, "sqlite")))
	} else {
		err = run(context.Background(), *folder, diff.Request{Version: time.Now().UTC(), Name: *name, Reason: *reason, Released: *released})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "migration:", err)
		os.Exit(1)
	}
}

// run writes both dialects under the same versions, so that they go in step.
func run(ctx context.Context, folder string, r diff.Request) (err error) {
	if r.Declaration, err = diff.Declared(); err != nil {
		return err
	}
	postgres, drop, err := scratchPostgres(ctx)
	if err != nil {
		return err
	}
	defer drop()
	scratch, err := os.MkdirTemp("", "records-migration-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	sqlite, err := database.Open("sqlite:"+filepath.Join(scratch, "dev.db"), database.Options{})
	if err != nil {
		return err
	}
	defer sqlite.Close()
	reports, err := diff.Write(ctx, r,
		diff.Target{Dev: postgres, Folder: filepath.Join(folder, "postgres")},
		diff.Target{Dev: sqlite, Folder: filepath.Join(folder, "sqlite")})
	if err != nil {
		return err
	}
	show(folder, reports)
	return nil
}

// show tells what was written. The files have the same names for both dialects.
func show(folder string, reports []diff.Report) {
	for _, r := range reports {
		for _, line := range r.Changes {
			fmt.Printf("%s: %s\n", strings.TrimSuffix(r.Dialect, "3"), line)
		}
	}
	if len(reports[0].Files) == 0 {
		fmt.Println("nothing to do: the migrations give what the schemas declare")
		return
	}
	if slices.ContainsFunc(reports, func(r diff.Report) bool { return r.ShutsOut }) {
		fmt.Println("the last release cannot serve what this leaves, and will refuse to: it has to be stopped before the migration is applied")
	}
	fmt.Printf("wrote, in %s/postgres and in %[1]s/sqlite:\n", folder)
	for _, file := range reports[0].Files {
		fmt.Println("  " + filepath.Base(file))
	}
}

// scratchPostgres makes an empty database on the server of TEST_POSTGRES_URL.
// The function drops it.
func scratchPostgres(ctx context.Context) (*database.DB, func(), error) {
	server := os.Getenv("TEST_POSTGRES_URL")
	if server == "" {
		return nil, nil, errors.New("TEST_POSTGRES_URL is not set: run `make migration`, which starts a PostgreSQL for it")
	}
	u, err := url.Parse(server)
	if err != nil {
		return nil, nil, err
	}
	admin, err := database.Open(server, database.Options{})
	if err != nil {
		return nil, nil, err
	}
	if admin.Dialect() != dialect.Postgres {
		return nil, nil, errors.Join(errors.New("TEST_POSTGRES_URL must begin with postgres://"), admin.Close())
	}
	name := "records_dev_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _, err := admin.SQL().ExecContext(ctx, "CREATE DATABASE "+name); err != nil {
		return nil, nil, errors.Join(err, admin.Close())
	}
	drop := func() {
		_, _ = admin.SQL().ExecContext(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
		_ = admin.Close()
	}
	u.Path = "/" + name
	dev, err := database.Open(u.String(), database.Options{})
	if err != nil {
		drop()
		return nil, nil, err
	}
	return dev, func() { _ = dev.Close(); drop() }, nil
}

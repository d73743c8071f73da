// Command generate writes the next migration of both dialects from the Ent
// schemas: `make migration name=add_tickets`. It needs a PostgreSQL server to
// replay the migrations in, which make starts for it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"records/internal/scratchdb"
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
	if r.Kinds, err = diff.ReadKinds(folder); err != nil {
		return err
	}
	var targets []diff.Target
	var drops []func() error
	defer func() {
		for _, drop := range drops {
			err = errors.Join(err, drop())
		}
	}()
	for _, name := range []string{"postgres", "sqlite"} {
		dev, drop, failed := scratchdb.Open(ctx, name, "make migration")
		if failed != nil {
			return failed
		}
		drops = append(drops, drop)
		targets = append(targets, diff.Target{Dev: dev, Folder: filepath.Join(folder, name)})
	}
	reports, err := diff.Write(ctx, r, targets...)
	if err != nil {
		return err
	}
	show(folder, reports)
	written, err := diff.WriteKinds(folder, r.Declaration.Kinds)
	if written != "" {
		fmt.Printf("wrote %s, which says what the columns hold\n", written)
	}
	return err
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

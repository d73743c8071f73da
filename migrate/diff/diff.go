package diff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/sqlite"
	"ariga.io/atlas/sql/sqltool"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"

	"records/internal/database"
)

// Write compares what the migrations in folder give with what the schemas
// declare, and writes the difference as <version>_<name>.sql. dev is an empty
// database of the dialect, to replay the migrations in; it is empty again
// afterwards. It reports whether there was a difference.
func Write(ctx context.Context, dev *database.DB, folder, version, name string) (bool, error) {
	tables, err := Tables(dev.Dialect())
	if err != nil {
		return false, err
	}
	changed, err := writeTables(ctx, dev, folder, version, name, tables)
	if err != nil || dev.Dialect() != dialect.SQLite {
		return changed, err
	}
	more, err := writeTriggers(ctx, folder, version, name, tables)
	return changed || more, err
}

func writeTables(ctx context.Context, dev *database.DB, folder, version, name string, tables []*schema.Table) (bool, error) {
	dir, err := sqltool.NewGooseDir(folder)
	if err != nil {
		return false, err
	}
	m, err := schema.NewMigrate(entsql.OpenDB(dev.Dialect(), dev.SQL()),
		schema.WithDir(dir), schema.WithFormatter(format{version}), schema.WithMigrationMode(schema.ModeReplay),
		schema.WithDialect(dev.Dialect()), schema.WithDropColumn(true), schema.WithDropIndex(true), schema.WithErrNoPlan(true))
	if err != nil {
		return false, err
	}
	err = m.NamedDiff(ctx, name, tables...)
	if errors.Is(err, atlas.ErrNoPlan) {
		return false, nil
	}
	return err == nil, err
}

// writeTriggers adds what Atlas knows nothing of to the migration. It replays
// all of them first, since a table that was rebuilt has lost its triggers.
func writeTriggers(ctx context.Context, folder, version, name string, tables []*schema.Table) (bool, error) {
	scratch, err := os.MkdirTemp("", "records-diff-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(scratch)
	db, err := database.Open("sqlite:"+filepath.Join(scratch, "dev.db"), database.Options{})
	if err != nil {
		return false, err
	}
	defer db.Close()
	dir, err := sqltool.NewGooseDir(folder)
	if err != nil {
		return false, err
	}
	if err := replay(ctx, db, dir); err != nil {
		return false, err
	}
	statements, err := triggerChanges(ctx, db.SQL(), triggers(tables))
	if err != nil || len(statements) == 0 {
		return false, err
	}
	return true, appendStatements(dir, version+"_"+name+".sql", statements)
}

func replay(ctx context.Context, db *database.DB, dir atlas.Dir) error {
	driver, err := sqlite.Open(db.SQL())
	if err != nil {
		return err
	}
	executor, err := atlas.NewExecutor(driver, dir, atlas.NopRevisionReadWriter{})
	if err != nil {
		return err
	}
	if err := executor.ExecuteN(ctx, 0); err != nil && !errors.Is(err, atlas.ErrNoPendingFiles) {
		return fmt.Errorf("replaying the migrations: %w", err)
	}
	return nil
}

// appendStatements puts statements at the end of a migration, which it makes
// if there is none, and renews the checksum.
func appendStatements(dir *sqltool.GooseDir, name string, statements []string) error {
	text, err := os.ReadFile(filepath.Join(dir.Path(), name))
	if errors.Is(err, os.ErrNotExist) {
		text, err = []byte("-- +goose Up\n"), nil
	}
	if err != nil {
		return err
	}
	for _, s := range statements {
		text = append(text, statement("", s)...)
	}
	if err := dir.WriteFile(name, text); err != nil {
		return err
	}
	sum, err := dir.Checksum()
	if err != nil {
		return err
	}
	return atlas.WriteSumFile(dir, sum)
}

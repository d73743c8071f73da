// Package migrate brings a database to the schema that this program was built
// with. The migrations of both dialects are generated from the Ent schemas
// (see migrate/generate), embedded in the binary and held by a checksum.
package migrate

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path"

	atlas "ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"records/internal/database"
)

//go:embed postgres sqlite
var files embed.FS

// Table is where the database keeps which migrations it has.
const Table = "schema_migrations"

// State is one migration and whether the database has it.
type State struct {
	Name    string `json:"name"`
	Applied bool   `json:"applied"`
}

// Up applies what is pending, each migration in its own transaction, under a
// lock that holds across processes. It returns the names of those it applied.
func Up(ctx context.Context, db *database.DB) ([]string, error) {
	return UpTo(ctx, db, math.MaxInt64)
}

// UpTo is Up that stops after the migration of a version, such as
// 20261121073704.
func UpTo(ctx context.Context, db *database.DB, version int64) ([]string, error) {
	provider, err := open(db)
	if err != nil {
		return nil, err
	}
	results, err := provider.UpTo(ctx, version)
	var applied []string
	for _, r := range results {
		if r.Error == nil {
			applied = append(applied, path.Base(r.Source.Path))
		}
	}
	if err != nil {
		return applied, fmt.Errorf("migrate: %w", err)
	}
	return applied, nil
}

// Status lists every migration, oldest first.
func Status(ctx context.Context, db *database.DB) ([]State, error) {
	provider, err := open(db)
	if err != nil {
		return nil, err
	}
	all, err := provider.Status(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	states := make([]State, len(all))
	for i, s := range all {
		states[i] = State{path.Base(s.Source.Path), s.State == goose.StateApplied}
	}
	return states, nil
}

// Pending returns the names of the migrations that the database lacks. It
// changes nothing, not even on a database that has none.
func Pending(ctx context.Context, db *database.DB) ([]string, error) {
	names, err := fs.Glob(files, folder(db)+"/*.sql")
	if err != nil {
		return nil, err
	}
	latest, err := version(ctx, db)
	if err != nil {
		return nil, err
	}
	var pending []string
	for _, name := range names {
		v, err := goose.NumericComponent(name)
		if err != nil {
			return nil, err
		}
		if v > latest {
			pending = append(pending, path.Base(name))
		}
	}
	return pending, nil
}

// Script returns the text of an embedded migration.
func Script(db *database.DB, name string) (string, error) {
	b, err := files.ReadFile(path.Join(folder(db), name))
	return string(b), err
}

// version is the newest migration that the database has, 0 for none.
func version(ctx context.Context, db *database.DB) (int64, error) {
	exists, err := hasTable(ctx, db)
	if err != nil || !exists {
		return 0, err
	}
	var latest int64
	err = db.SQL().QueryRowContext(ctx, "SELECT COALESCE(MAX(version_id), 0) FROM "+Table).Scan(&latest)
	return latest, err
}

func hasTable(ctx context.Context, db *database.DB) (exists bool, err error) {
	query := "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '" + Table + "')"
	if db.Dialect() == dialect.Postgres {
		query = "SELECT to_regclass('" + Table + "') IS NOT NULL"
	}
	err = db.SQL().QueryRowContext(ctx, query).Scan(&exists)
	return exists, err
}

// open checks the embedded files against their checksum and makes a goose
// provider of them.
func open(db *database.DB) (*goose.Provider, error) {
	if err := validate(files, folder(db)); err != nil {
		return nil, err
	}
	dir, err := fs.Sub(files, folder(db))
	if err != nil {
		return nil, err
	}
	options := []goose.ProviderOption{goose.WithTableName(Table), goose.WithDisableGlobalRegistry(true)}
	gooseDialect := goose.DialectSQLite3
	if db.Dialect() == dialect.Postgres {
		gooseDialect = goose.DialectPostgres
		locker, err := lock.NewPostgresSessionLocker()
		if err != nil {
			return nil, err
		}
		options = append(options, goose.WithSessionLocker(locker))
	} else {
		options = append(options, goose.WithLocker(&fileLock{path: db.Path() + ".migrate.lock"}))
	}
	return goose.NewProvider(gooseDialect, db.SQL(), dir, options...)
}

// validate holds the files of a folder against its atlas.sum, so that a
// migration that was edited after it was generated is refused.
func validate(files fs.FS, folder string) error {
	dir := &atlas.MemDir{}
	entries, err := fs.ReadDir(files, folder)
	if err != nil {
		return err
	}
	for _, e := range entries {
		b, err := fs.ReadFile(files, path.Join(folder, e.Name()))
		if err != nil {
			return err
		}
		if err := dir.WriteFile(e.Name(), b); err != nil {
			return err
		}
	}
	if err := atlas.Validate(dir); err != nil {
		return errors.Join(fmt.Errorf("migrate: the migrations in migrate/%s do not match their atlas.sum", folder), err)
	}
	return nil
}

func folder(db *database.DB) string {
	if db.Dialect() == dialect.Postgres {
		return "postgres"
	}
	return "sqlite"
}

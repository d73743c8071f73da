package migrate

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	atlas "ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect"
	"github.com/pressly/goose/v3"

	"records/internal/database"
	"records/migrate/script"
)

// Source is a set of migrations: the folders postgres and sqlite, each with its
// atlas.sum.
type Source struct {
	files            fs.FS
	postgres, sqlite func() ([]migration, error)
}

// From returns the migrations in files, which are read once.
func From(files fs.FS) *Source {
	s := &Source{files: files}
	s.postgres = sync.OnceValues(func() ([]migration, error) { return s.readAll("postgres") })
	s.sqlite = sync.OnceValues(func() ([]migration, error) { return s.readAll("sqlite") })
	return s
}

// Files are the folders of the migrations.
func (s *Source) Files() fs.FS { return s.files }

// Script returns the text of a migration.
func (s *Source) Script(db *database.DB, name string) (string, error) {
	b, err := fs.ReadFile(s.files, path.Join(folder(db.Dialect()), name))
	return string(b), err
}

// Statements returns the text of every statement for a dialect, oldest first.
func (s *Source) Statements(dialectName string) (all []string, err error) {
	migrations, err := s.read(dialectName)
	for _, m := range migrations {
		for _, statement := range m.Statements {
			all = append(all, statement.Text)
		}
	}
	return all, err
}

// migration is a file that can be applied.
type migration struct {
	Version int64
	*script.File
}

// Title is the file's name without its ending.
func (m migration) Title() string { return strings.TrimSuffix(m.Name, ".sql") }

// read returns the migrations of a dialect, oldest first.
func (s *Source) read(dialectName string) ([]migration, error) {
	if dialectName == dialect.Postgres {
		return s.postgres()
	}
	return s.sqlite()
}

// readAll checks the files of a folder against their checksum and reads them.
func (s *Source) readAll(folder string) ([]migration, error) {
	if err := validate(s.files, folder); err != nil {
		return nil, err
	}
	names, err := fs.Glob(s.files, folder+"/*.sql")
	if err != nil {
		return nil, err
	}
	all := make([]migration, len(names))
	for i, name := range names {
		if all[i], err = s.readOne(name); err != nil {
			return nil, fmt.Errorf("migrate: %w", err)
		}
		if i > 0 && all[i].Version == all[i-1].Version {
			return nil, fmt.Errorf("migrate: %s and %s have the same version", all[i-1].Name, all[i].Name)
		}
	}
	return all, nil
}

func (s *Source) readOne(name string) (migration, error) {
	version, err := goose.NumericComponent(name)
	if err != nil {
		return migration{}, err
	}
	text, err := fs.ReadFile(s.files, name)
	if err != nil {
		return migration{}, err
	}
	file, err := script.Parse(path.Base(name), text, quotes(path.Dir(name)))
	return migration{version, file}, err
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

func folder(dialectName string) string {
	if dialectName == dialect.Postgres {
		return "postgres"
	}
	return "sqlite"
}

func quotes(folder string) script.Quotes {
	if folder == "postgres" {
		return script.Postgres
	}
	return script.SQLite
}

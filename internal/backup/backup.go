// Package backup copies an embedded database while it serves, and puts a copy back.
// For PostgreSQL there are better tools: see docs/operations.md.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/migrate"
)

// ErrPostgres is the answer for a database that is not a file.
var ErrPostgres = errors.New("this is for an embedded database: PostgreSQL is backed up with pg_dump or continuous archiving, and `records carry-over` comes after a restore; see \"Backups\" in docs/operations.md")

// Write copies the database into a new file, as it is at one moment, while others go
// on reading and writing. The copy is looked through, and is on the disk, when Write
// returns; until then it has another name. It holds the hashes of keys and
// passwords: the file is its owner's alone. A file that is there already is left
// alone, and an error.
func Write(ctx context.Context, db *database.DB, to string) error {
	if db.Dialect() != dialect.SQLite {
		return ErrPostgres
	}
	to, err := filepath.Abs(to) // or SQLite takes a name with "file:" for a URI
	if err != nil {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("%s is there already", to), err)
	}
	part := to + ".part"
	release, err := claim(part)
	if err != nil {
		return err
	}
	defer release()
	own, err := db.Apart(0)
	if err != nil {
		return err
	}
	defer own.Close()
	if _, err := own.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return fmt.Errorf("copying the database: %w", err)
	}
	if err := sound(ctx, part); err != nil {
		return err
	}
	if err := keep(part); err != nil {
		return err
	}
	if err := place(part, to); err != nil {
		return err
	}
	return keep(filepath.Dir(to))
}

// place gives a file its name, and replaces nothing, as a renaming would. Where the
// file system knows no links, it only looks first.
func place(part, to string) error {
	err := os.Link(part, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("%s is there already", to), err)
	}
	return os.Rename(part, to)
}

// newFile makes an empty file for its owner alone, with nothing left beside it of one
// that was cut off, which SQLite would take for its own. What it is for stands in the error.
func newFile(path, what string) (string, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("%s is there already: another %s is at work, or one was cut off; then remove the file", path, what)
	}
	if err != nil {
		return "", err
	}
	for _, suffix := range besides {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", errors.Join(err, file.Close(), os.Remove(path))
		}
	}
	return path, file.Close()
}

// discard removes what newFile made, if it has not got its name, and what is beside it.
func discard(part string) {
	for _, suffix := range append([]string{"", migrate.LockSuffix}, besides...) {
		_ = os.Remove(part + suffix)
	}
}

// sound reads a whole database file and returns what is wrong with it.
func sound(ctx context.Context, path string) error {
	pool, err := database.Alone(ctx, path)
	if err != nil {
		return err
	}
	defer pool.Close()
	var fault string
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&fault); err != nil {
		return fmt.Errorf("%s cannot be read: %w", path, err)
	}
	if fault != "ok" {
		return fmt.Errorf("%s is damaged: %s", path, fault)
	}
	var tables int
	if err := pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = ?", migrate.Table).Scan(&tables); err != nil {
		return err
	}
	if tables == 0 {
		return fmt.Errorf("%s is no database of this program", path)
	}
	return nil
}

// keep sees to it that a file, or what a folder holds, outlives a power cut.
func keep(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return file.Sync()
}

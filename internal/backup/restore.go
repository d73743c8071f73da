package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/migrate"
)

// Restored says what Restore did.
type Restored struct {
	Before  string // where the database that was there is now; "" if there was none
	Told    bool   // whether a database was there, and asked, that knew what was taken away since the backup
	Carried int64  // how many keys, members and so on have lost since the backup what it would give back
}

// Options are the choices in restoring.
type Options struct {
	// Forget leaves out what Restore would carry over from the database that is
	// there: for one that cannot be read, or does not know what is in the backup.
	Forget bool
	Now    time.Time
}

// Restore puts the backup at from in the place of the database at path, which nobody
// may have open. The backup stays as it is; a copy of it is looked through, brought
// up to this program's schema and takes the place; what was there is kept beside it.
//
// A backup knows nothing of what was taken away since. What the database that is
// there knows of that is carried over: keys that were revoked or may only read,
// members who were removed, passwords that were changed. Nobody stays signed in.
func Restore(ctx context.Context, from, path string, options Options) (Restored, error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	if err := whole(from); err != nil {
		return Restored{}, err
	}
	if isOneFile(from, path) {
		return Restored{}, fmt.Errorf("%s is the database itself, and no backup of it", from)
	}
	part, err := newFile(path+".restoring", "restore")
	if err != nil {
		return Restored{}, err
	}
	defer discard(part)
	if err := copyFile(from, part); err != nil {
		return Restored{}, err
	}
	if err := prepare(ctx, from, part); err != nil {
		return Restored{}, err
	}
	var restored Restored
	remains := besides
	var knows *store // what was taken away since the backup
	info, err := os.Stat(path)
	if err == nil {
		there, err := database.Alone(ctx, path) // until the end: nobody may begin to write to it now
		if err == nil {
			defer there.Close()
			remains = nil // all of it is in the one file
		}
		switch {
		case err != nil && (!options.Forget || errors.Is(err, database.ErrInUse)):
			return Restored{}, err
		case !options.Forget:
			knows, restored.Told = &store{there, dialect.SQLite}, true
		}
		if err := likewise(part, info); err != nil {
			return Restored{}, err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return Restored{}, err
	}
	if restored.Carried, err = takeFrom(ctx, part, knows); err != nil {
		return Restored{}, err
	}
	restored.Before, err = swap(part, path, remains, path+".before-"+options.Now.UTC().Format("20060102T150405.000Z"))
	return restored, err
}

// whole returns an error if the file at from cannot be all of a database.
func whole(from string) error {
	info, err := os.Stat(from)
	if err != nil {
		return fmt.Errorf("the backup cannot be read: %w", err)
	}
	if !info.Mode().IsRegular() { // to read a pipe may take for ever
		return fmt.Errorf("%s is no backup, since it is no file", from)
	}
	if target, err := filepath.EvalSymlinks(from); err == nil {
		from = target
	}
	if database.HasLog(from) {
		return fmt.Errorf("%s was not made by `records backup`: a part of it is in its log %s-wal. Run `records backup NEW --database.url sqlite:%s`, and restore NEW", from, from, from)
	}
	return nil
}

// isOneFile says whether two names lead to one file.
func isOneFile(one, other string) bool {
	a, err := os.Stat(one)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// takeFrom takes from the file at part what was taken away since, and leaves all of
// the file in itself alone.
func takeFrom(ctx context.Context, part string, knows *store) (rows int64, err error) {
	pool, err := database.Alone(ctx, part)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	rows, err = carryOver(ctx, pool, knows)
	if errors.Is(err, ErrOtherDatabase) {
		err = fmt.Errorf("%w. Where it was never in use, leave that out with --forget", err)
	}
	if err != nil {
		return 0, fmt.Errorf("carrying over what was taken away since the backup: %w", err)
	}
	return rows, nil
}

// prepare looks through a copy of a backup, and brings it up to date.
func prepare(ctx context.Context, from, part string) error {
	if err := sound(ctx, part); err != nil {
		return fmt.Errorf("the backup %s cannot be used: %w", from, err)
	}
	db, err := database.Open("sqlite:"+part, database.Options{MustExist: true})
	if err != nil {
		return err
	}
	defer db.Close()
	standing, err := migrate.Embedded.Compare(ctx, db)
	if err != nil {
		return err
	}
	if err := standing.Err(); err != nil {
		return fmt.Errorf("the backup %s: %w", from, err)
	}
	_, err = migrate.Up(ctx, db)
	return err
}

// besides are what SQLite keeps beside a file. Those that are left of one that is
// gone would be taken for the new one's.
var besides = []string{"-wal", "-shm", "-journal"}

// swap puts the new file where the database was, and that one aside, with what
// remains beside it. It returns where it is now, "" if there was nothing.
func swap(part, path string, remains []string, aside string) (before string, err error) {
	if err := keep(part); err != nil {
		return "", err
	}
	for _, suffix := range append([]string{""}, remains...) {
		if _, err := os.Lstat(aside + suffix); err == nil {
			return before, fmt.Errorf("%s is there already", aside+suffix)
		}
		put := os.Rename
		if suffix == "" {
			put = alsoName
		}
		switch err := put(path+suffix, aside+suffix); {
		case err == nil:
			before = aside
		case !errors.Is(err, fs.ErrNotExist):
			return before, err
		}
	}
	if err := os.Rename(part, path); err != nil {
		return before, fmt.Errorf("%w; the database that was there is %s", err, before)
	}
	return before, keep(filepath.Dir(path))
}

// alsoName gives the database another name, beside its own: killed before the new one
// takes its place, it is still there, where a server would begin an empty one. A file
// system without links has it moved.
func alsoName(path, aside string) error {
	err := os.Link(path, aside)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(path, aside)
}

func copyFile(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("the backup cannot be read: %w", err)
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

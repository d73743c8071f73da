package database

import (
	"fmt"
	"os"
)

// sqliteFile is the file that was opened. Another one may be at its path by now, or none.
type sqliteFile struct {
	path   string
	opened os.FileInfo
}

func newSQLiteFile(path string) (*sqliteFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open the database: %w", err)
	}
	return &sqliteFile{path, info}, nil
}

// inPlace returns an error once the file is no longer at its path. What is written then
// is lost with it; and whoever opens another one there reads this one's log into that.
func (f *sqliteFile) inPlace() error {
	if now, err := os.Stat(f.path); err == nil && os.SameFile(f.opened, now) {
		return nil
	}
	return fmt.Errorf("%w: %s was moved, removed or replaced since it was opened", errUnreachable, f.path)
}

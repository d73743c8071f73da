package database

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"
)

// lookEvery is how long readers go by what was seen of the file.
const lookEvery = 200 * time.Millisecond

// sqliteFile is the file that was opened. Another one may be at its path by now, or none.
type sqliteFile struct {
	path   string
	opened os.FileInfo

	looked atomic.Int64 // when a reader did, in nanoseconds of the Unix epoch
	gone   atomic.Bool  // what was seen then
}

func newSQLiteFile(path string) (*sqliteFile, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("cannot open the database: %w", err)
	}
	return &sqliteFile{path: path, opened: info}, nil
}

// inPlace returns an error once the file is no longer at its path. What is written then
// is lost with it; and whoever opens another one there reads this one's log into that.
func (f *sqliteFile) inPlace() error {
	if now, err := os.Stat(f.path); err == nil && os.SameFile(f.opened, now) {
		return nil
	}
	return fmt.Errorf("%w: %s was moved, removed or replaced since it was opened", errUnreachable, f.path)
}

// lately is inPlace as a reader sees it: what it would read may be out of date, a key
// that was revoked in the file that is there now included.
func (f *sqliteFile) lately() error {
	now := time.Now().UnixNano()
	if looked := f.looked.Load(); f.gone.Load() || now-looked >= int64(lookEvery) && f.looked.CompareAndSwap(looked, now) {
		err := f.inPlace()
		f.gone.Store(err != nil)
		return err
	}
	return nil
}

package backup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/gofrs/flock"
)

// claim makes the file that a backup is written to, in the place of what one that was
// killed has left. A lock on a file beside it, which the system releases when its
// process ends, tells whether one is at work; where no such file was left, what is there
// is not a backup's. Release removes both files.
func claim(part string) (release func(), err error) {
	lock := flock.New(part + ".lock")
	_, err = os.Lstat(lock.Path())
	left := !errors.Is(err, fs.ErrNotExist)
	held, err := lock.TryLock()
	if err == nil && (!held || !isStill(lock)) {
		err = fmt.Errorf("another backup is at work on %s", part)
	}
	if err != nil {
		return nil, errors.Join(err, lock.Unlock())
	}
	unlock := func() {
		_ = os.Remove(lock.Path()) // before it is unlocked: another may have it then
		_ = lock.Unlock()
	}
	if left {
		discard(part)
	}
	if _, err := newFile(part, "backup"); err != nil {
		unlock()
		return nil, err
	}
	return func() { discard(part); unlock() }, nil
}

// isStill reports whether a lock is on the file that has its name: whoever had it before
// may have removed that, and another may have locked a new one.
func isStill(lock *flock.Flock) bool {
	locked, err := lock.Stat()
	if err != nil {
		return false
	}
	named, err := os.Lstat(lock.Path())
	return err == nil && os.SameFile(locked, named)
}

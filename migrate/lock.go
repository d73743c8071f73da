package migrate

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/gofrs/flock"
)

// fileLock keeps two processes from migrating one SQLite file at once. SQLite
// itself has no lock that outlives a transaction; a file lock is released by
// the system when its process ends, however it ends.
type fileLock struct {
	path string
	held *flock.Flock
}

// lockPoll is how often a process looks whether the other one has finished.
const lockPoll = 50 * time.Millisecond

// Lock waits for the lock until the context ends.
func (l *fileLock) Lock(ctx context.Context, _ *sql.DB) error {
	l.held = flock.New(l.path)
	if _, err := l.held.TryLockContext(ctx, lockPoll); err != nil {
		return fmt.Errorf("migrate: locking %s: %w", l.path, err)
	}
	return nil
}

// Unlock releases it. The file stays: removing it would let two others lock
// two different files of that name.
func (l *fileLock) Unlock(context.Context, *sql.DB) error { return l.held.Unlock() }

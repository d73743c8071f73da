package migrate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"github.com/gofrs/flock"
	"github.com/pressly/goose/v3/lock"
)

const (
	// runLock is the key of the advisory lock that a run holds on PostgreSQL: any
	// number that nothing else uses. Goose's own is another one.
	runLock = 7_265_636_301
	// lockWait is for how long another process that migrates is waited for, if
	// patience is not longer.
	lockWait = 5 * time.Minute
	// lockPoll is how often it is looked whether it has finished.
	lockPoll = time.Second
	// fileLockPoll is that on SQLite.
	fileLockPoll = 50 * time.Millisecond
)

// lock keeps other processes from migrating, from the first try to the last, so
// that they do not try in the pauses between.
func (u *up) lock(ctx context.Context) (unlock func() error, err error) {
	if u.db.Dialect() == dialect.SQLite {
		return lockFile(ctx, u.db.Path()+LockSuffix)
	}
	return u.lockSession(ctx)
}

// lockSession takes an advisory lock of a session of its own. Goose takes another
// one in each try, in the session that migrates: that one cannot be lost while it
// goes on.
//
// It asks again and again: a statement that waits on the server would hold up the
// concurrent build of an index, which waits for all statements that are older.
func (u *up) lockSession(ctx context.Context) (unlock func() error, err error) {
	wait := max(lockWait, u.options.Patience)
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockID(runLock), everySecond(wait))
	if err != nil {
		return nil, err
	}
	conn, err := u.pool.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	_, err = conn.ExecContext(ctx, "SELECT set_config('idle_session_timeout', '0', false)")
	start := time.Now()
	if err == nil {
		err = locker.SessionLock(ctx, conn)
	}
	if err != nil && ctx.Err() == nil && time.Since(start) >= wait {
		err = fmt.Errorf("another process migrates this database, and has not ended in %s", wait)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("migrate: %w", err), conn.Close())
	}
	return func() error {
		return errors.Join(locker.SessionUnlock(context.WithoutCancel(ctx), conn), conn.Close())
	}, nil
}

// everySecond lets a lock be asked for until wait is over.
func everySecond(wait time.Duration) lock.SessionLockerOption {
	return lock.WithLockTimeout(uint64(lockPoll/time.Second), uint64(wait/lockPoll))
}

// lockFile locks a file until the context ends. SQLite itself has no lock that
// outlives a transaction; a file lock is released by the system when its process
// ends, however it ends. The file stays: removing it would let two others lock two
// different files of that name.
func lockFile(ctx context.Context, path string) (unlock func() error, err error) {
	held := flock.New(path)
	if _, err := held.TryLockContext(ctx, fileLockPoll); err != nil {
		return nil, fmt.Errorf("migrate: locking %s: %w", path, err)
	}
	return held.Unlock, nil
}

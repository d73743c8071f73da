package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// ErrInUse is returned for a SQLite file that another process has open.
var ErrInUse = errors.New("the database is in use: stop the server, and whatever else has it open, first")

// aloneWait is how long Alone waits for others to leave.
const aloneWait = time.Second

// Alone opens a SQLite file that nobody else has open, and keeps everybody else out
// of it until the pool is closed. All of it is in the one file then, nothing in a
// journal beside it. It has one connection.
func Alone(ctx context.Context, path string) (*sql.DB, error) {
	pool, err := sqlitePool(path, 1, aloneWait)
	if err != nil {
		return nil, err
	}
	// Leaving the write-ahead log takes what is in it into the file, and needs the
	// file alone. In exclusive mode the lock of the first statement stays.
	var mode string
	err = pool.QueryRowContext(ctx, "PRAGMA locking_mode=EXCLUSIVE").Scan(&mode)
	if err == nil {
		err = pool.QueryRowContext(ctx, "PRAGMA journal_mode=DELETE").Scan(&mode)
	}
	if err == nil {
		_, err = pool.ExecContext(ctx, "BEGIN EXCLUSIVE; COMMIT")
	}
	if sqliteCode(err)&0xff == sqlite3.SQLITE_BUSY {
		err = ErrInUse
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", path, err), pool.Close())
	}
	return pool, nil
}

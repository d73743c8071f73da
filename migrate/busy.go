package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"entgo.io/ent/dialect"
	"github.com/gofrs/flock"

	"records/internal/database"
)

// Busy tells who holds the lock of those who migrate, "" if nobody does.
func Busy(ctx context.Context, db *database.DB) (who string, err error) {
	if db.Dialect() == dialect.SQLite {
		return busyFile(db.Path() + LockSuffix)
	}
	var pid int
	var name, since string
	err = db.SQL().QueryRowContext(ctx, `SELECT l.pid, coalesce(a.application_name, ''), coalesce(a.backend_start::text, '')
		FROM pg_locks l LEFT JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1 AND l.classid::bigint = $1 AND l.objid::bigint = $2
			AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
		int64(runLock)>>32, int64(runLock)&0xffffffff).Scan(&pid, &name, &since)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	return fmt.Sprintf("session %d (application %q, connected since %s)", pid, name, since), err
}

func busyFile(path string) (who string, err error) {
	if _, err := os.Stat(path); err != nil {
		return "", nil //nolint:nilerr // without the file nobody has migrated yet
	}
	held := flock.New(path)
	free, err := held.TryLock()
	if err != nil {
		return "", err
	}
	if !free {
		return "another process, at the file " + path, nil
	}
	return "", held.Unlock()
}

package backup

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// ErrItself is returned where the database to carry over from is the restored one, so
// that nothing would be taken away.
var ErrItself = errors.New("the database to carry over from is the restored one itself: name the one that went on after the backup")

// isSame reports whether both are one database, by whatever names.
func isSame(ctx context.Context, a, b *database.DB) (bool, error) {
	switch {
	case a.Dialect() != b.Dialect():
		return false, nil
	case a.Dialect() == dialect.SQLite:
		x, err := os.Stat(a.Path())
		if err != nil {
			return false, err
		}
		y, err := os.Stat(b.Path())
		return err == nil && os.SameFile(x, y), err
	}
	tx, err := a.SQL().BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback() // which gives the lock back
	key := rand.Int64() //nolint:gosec // unlike others, and no secret
	if _, err := tx.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", key); err != nil {
		return false, err
	}
	free := false // a lock is one within its database
	err = b.SQL().QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock($1)", key).Scan(&free)
	return err == nil && !free, err
}

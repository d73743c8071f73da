package migrate

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// ErrForeign says that a SQLite file is another program's. A server of PostgreSQL holds
// what it is told to; a file is migrated unasked, so that a wrong path would spoil one.
var ErrForeign = errors.New("it has tables, and was never migrated by records: another program has made it")

// notForeign returns ErrForeign for such a file. Tables of SQLite itself, and those that
// begin with _ as those of tools that copy files do, may be there before the first
// migration.
func notForeign(ctx context.Context, db *database.DB) error {
	if db.Dialect() != dialect.SQLite {
		return nil
	}
	var foreign bool
	err := db.SQL().QueryRowContext(ctx, `SELECT count(*) > 0 AND max(name = '`+Table+`') = 0 FROM sqlite_schema
		WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\' AND name NOT LIKE '\_%' ESCAPE '\'`).Scan(&foreign)
	if err != nil || !foreign {
		return err
	}
	return fmt.Errorf("%s: %w", db.Path(), ErrForeign)
}

package dbtest

import (
	"context"
	"fmt"

	"records/internal/database"
	"records/migrate"
)

// migrateURL brings the database at url to the present schema.
func migrateURL(ctx context.Context, url string) error {
	db, err := database.Open(url, database.Options{MaxConns: maxConns})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := migrate.Up(ctx, db); err != nil {
		return fmt.Errorf("migrate the template of the test databases: %w", err)
	}
	return nil
}

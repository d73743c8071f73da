package migrate

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// Due tells how the database stands to the migrations, and returns an error where
// [Source.Up] would apply nothing of what is pending: both ask here. It changes
// nothing and waits for nobody. What only the statements themselves come upon, such
// as rows that a new rule refuses, it does not know; a rehearsal does.
func (s *Source) Due(ctx context.Context, db *database.DB) (Standing, error) {
	standing, err := s.Compare(ctx, db)
	if err != nil || standing.Err() != nil || len(standing.Pending) == 0 {
		return standing, errors.Join(err, standing.Err())
	}
	if err := standing.inOrder(); err != nil {
		return standing, err
	}
	if err := notForeign(ctx, db); err != nil {
		return standing, err
	}
	return standing, permitted(ctx, db)
}

// permitted returns an error for a role of PostgreSQL that cannot migrate, whatever
// the migrations do. All tables belong to the role that has made that of the versions.
func permitted(ctx context.Context, db *database.DB) error {
	if db.Dialect() != dialect.Postgres {
		return nil
	}
	var role string
	var readOnly, creates, owns bool
	err := db.SQL().QueryRowContext(ctx, `SELECT current_user, current_setting('transaction_read_only') = 'on',
		COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false),
		COALESCE((SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass('`+Table+`')), true)`).Scan(&role, &readOnly, &creates, &owns)
	switch {
	case err != nil:
		return err
	case readOnly:
		return errors.New("migrate: PostgreSQL takes no writes here: it is a standby, or default_transaction_read_only is on")
	case !creates:
		return fmt.Errorf("migrate: the role %s may make no tables in the schema: connect as the owner of the tables", role)
	case !owns:
		return fmt.Errorf("migrate: the role %s does not own the tables: connect as their owner", role)
	}
	return nil
}

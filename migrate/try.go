package migrate

import (
	"context"

	"records/internal/database"
	"records/migrate/script"
)

// TryPostgres runs what is pending in one transaction, which it rolls back: nothing
// stays, and the locks are held until the end. What is to run outside of a
// transaction runs inside of it, without CONCURRENTLY.
func (s *Source) TryPostgres(ctx context.Context, db *database.DB, o Options) error {
	known, err := s.read(db.Dialect())
	if err != nil {
		return err
	}
	standing, err := s.Due(ctx, db)
	if err != nil {
		return err
	}
	o = o.withDefaults()
	pool, err := db.Apart(o.LockTimeout)
	if err != nil {
		return err
	}
	defer pool.Close()
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	u := &up{db: db, pool: pool, options: o, migrations: known}
	applied := map[string]bool{}
	for _, name := range standing.Applied {
		applied[name] = true
	}
	for _, m := range known {
		if applied[m.Name] {
			continue
		}
		if err := u.inPostgres(ctx, tx, inTransaction(m)); err != nil {
			return err
		}
	}
	return nil
}

// inTransaction returns a migration that can run in one.
func inTransaction(m migration) migration {
	if !m.NoTransaction {
		return m
	}
	file := *m.File
	file.Statements = []script.Statement{m.Statements[0].Without("concurrently")}
	return migration{m.Version, &file}
}

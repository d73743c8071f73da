package migrate

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"records/internal/database"
)

// Up applies what is pending, each migration in its own transaction, under a lock
// that holds across processes. It returns the names of those it applied, also
// when one fails: then it and those after it are not applied, and the error, a
// *Failure, says which statement failed and why.
//
// A database that was migrated by a newer program is left as it is, and is no
// error if this one can serve it; else it is a *NewerError.
//
// A SQLite file that another program has made is an ErrForeign. What else it refuses,
// [Source.Due] says beforehand.
//
// Where others hold a lock that a migration needs, it is rolled back and tried
// again, so that no traffic queues up behind it.
func (s *Source) Up(ctx context.Context, db *database.DB, o Options) ([]string, error) {
	known, err := s.read(db.Dialect())
	if err != nil {
		return nil, err
	}
	standing, err := s.Due(ctx, db)
	if err != nil || len(standing.Pending) == 0 {
		return nil, err
	}
	o = o.withDefaults()
	pool, err := db.Apart(o.LockTimeout)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	u := &up{db: db, pool: pool, options: o, migrations: known}
	return u.run(ctx)
}

// up is one run of Up.
type up struct {
	db         *database.DB
	pool       *sql.DB // of its own: see database.DB.Apart
	options    Options
	migrations []migration
}

// run tries until all is applied, a migration fails, or patience is at its end
// with one that others hold up.
func (u *up) run(ctx context.Context) (applied []string, err error) {
	unlock, err := u.lock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock() }() // the end of the connection releases it as well
	wait := backoff{patience: u.options.Patience}
	for {
		more, err := u.attempt(ctx)
		applied = append(applied, more...)
		if err == nil {
			return applied, nil
		}
		err = asFailure(err, u.migrations)
		if f, ok := errors.AsType[*Failure](err); !heldUp(err) || ok && f.Final {
			return applied, explain(err, applied)
		}
		pause, ok := wait.next(len(applied))
		if !ok {
			return applied, explain(fmt.Errorf("gave up after %d tries in %s: %w", wait.tries, wait.spent(), err), applied)
		}
		u.options.Say(fmt.Sprintf("%v; trying again in %s", err, pause))
		select {
		case <-ctx.Done():
			return applied, explain(errors.Join(ctx.Err(), err), applied)
		case <-time.After(pause):
		}
	}
}

// attempt lets goose apply what is pending: it keeps the order and the table of
// versions, and calls back for each migration.
func (u *up) attempt(ctx context.Context) (applied []string, err error) {
	provider, err := u.provider()
	if err != nil {
		return nil, err
	}
	results, err := provider.UpTo(ctx, u.options.To)
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		results = partial.Applied
	}
	for _, r := range results {
		applied = append(applied, u.name(r.Source.Version))
	}
	return applied, err
}

func (u *up) name(version int64) string {
	for _, m := range u.migrations {
		if m.Version == version {
			return m.Name
		}
	}
	return fmt.Sprint(version)
}

func (u *up) provider() (*goose.Provider, error) {
	options := []goose.ProviderOption{
		goose.WithTableName(Table), goose.WithDisableGlobalRegistry(true), goose.WithGoMigrations(u.callbacks()...),
	}
	if u.db.Dialect() == dialect.SQLite {
		return goose.NewProvider(goose.DialectSQLite3, u.pool, nil, options...)
	}
	locker, err := lock.NewPostgresSessionLocker(everySecond(lockWait))
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectPostgres, u.pool, nil, append(options, goose.WithSessionLocker(locker))...)
}

// callbacks are the migrations as goose calls them.
func (u *up) callbacks() []*goose.Migration {
	all := make([]*goose.Migration, len(u.migrations))
	for i, m := range u.migrations {
		f := &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error { return u.inSQLite(ctx, tx, m) }}
		switch {
		case u.db.Dialect() == dialect.Postgres && m.NoTransaction:
			f = &goose.GoFunc{RunDB: func(ctx context.Context, db *sql.DB) error { return u.alone(ctx, db, m) }}
		case u.db.Dialect() == dialect.Postgres:
			f = &goose.GoFunc{RunTx: func(ctx context.Context, tx *sql.Tx) error { return u.inPostgres(ctx, tx, m) }}
		}
		all[i] = goose.NewGoMigration(m.Version, f, nil)
	}
	return all
}

// Package migrate brings a database to the schema that this program was built
// with. The migrations of both dialects are generated from the Ent schemas
// (see migrate/generate), embedded in the binary and held by a checksum.
package migrate

import (
	"context"
	"database/sql"
	"embed"
	"math"
	"time"

	"records/internal/database"
	"records/migrate/script"
)

//go:embed postgres sqlite
var files embed.FS

// Embedded are the migrations that this program was built with.
var Embedded = From(files)

// Table is where the database keeps which migrations it has.
const Table = "schema_migrations"

// LockSuffix names the file beside a SQLite database by which those who migrate it
// take turns. It stays.
const LockSuffix = ".migrate.lock"

// Options are the choices in applying migrations. The zero value of each stands
// for its default.
type Options struct {
	// LockTimeout is how long the statements of a migration wait for locks, all
	// together, before it is rolled back and tried again: so long may other traffic
	// queue up behind them. A try waits no longer than Patience.
	LockTimeout time.Duration
	// Patience is for how long one migration is tried again.
	Patience time.Duration
	// To is the version to stop after.
	To int64
	// Say is told, in a sentence, what takes time.
	Say func(string)
	// Around is called for each statement and has to run it, once. A rehearsal
	// measures so.
	Around func(ctx context.Context, on On, run func() (sql.Result, error)) error
}

// On is a statement that is about to run.
type On struct {
	Migration string // the file's name
	Statement script.Statement
	Session   Session // where it runs
	Pool      *sql.DB // to look at the session from outside
	Alone     bool    // outside of a transaction
}

// Session is a transaction or a connection.
type Session interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// The defaults of Options.
const (
	DefaultLockTimeout = 500 * time.Millisecond
	DefaultPatience    = time.Minute
)

// Up applies what is pending of the embedded migrations with the defaults, as
// [Source.Up] does.
func Up(ctx context.Context, db *database.DB) ([]string, error) {
	return Embedded.Up(ctx, db, Options{})
}

// UpTo is Up that stops after the migration of a version, such as
// 20261121073704.
func UpTo(ctx context.Context, db *database.DB, version int64) ([]string, error) {
	return Embedded.Up(ctx, db, Options{To: version})
}

func (o Options) withDefaults() Options {
	if o.LockTimeout <= 0 {
		o.LockTimeout = DefaultLockTimeout
	}
	if o.Patience <= 0 {
		o.Patience = DefaultPatience
	}
	o.LockTimeout = min(o.LockTimeout, o.Patience)
	if o.To <= 0 {
		o.To = math.MaxInt64
	}
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.Around == nil {
		o.Around = func(_ context.Context, _ On, run func() (sql.Result, error)) error {
			_, err := run()
			return err
		}
	}
	return o
}

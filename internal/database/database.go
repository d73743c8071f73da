// Package database opens the one database that the program stands on: a
// PostgreSQL server, or a SQLite file embedded in the process.
//
// It is the only place that knows the two drivers. What it hands out behaves
// alike on both: a statement ends with its context, a write happens once, and an
// error can be asked what it means (see errors.go) without knowing who raised it.
package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect"
)

// Options are the choices that a database URL does not carry.
type Options struct {
	// MaxConns is the most connections kept open: on PostgreSQL all of them, on
	// SQLite the readers, to which one writer is added. Zero, or less, means
	// DefaultPostgresConns or DefaultSQLiteReaders.
	MaxConns int
	// StatementCache is the most prepared statements that each connection to
	// PostgreSQL keeps. Zero, or less: none is prepared, as it must be behind a pooler
	// that shares sessions.
	StatementCache int
	// StatementTimeout and LockTimeout are how long PostgreSQL itself lets a statement,
	// and its wait for one lock, go on. Zero leaves it to the server; so does a pooler
	// that does not know these parameters. What the URL says goes before.
	StatementTimeout, LockTimeout time.Duration
	// Confined are the tables in which row-level security of PostgreSQL confines each
	// statement to the workspace of its context's viewer, for records and their counts.
	// A connection on which it does not is refused. None: nothing is asked for.
	Confined []string
	// ByIndex has PostgreSQL plan each prepared statement once, whatever its values, and
	// read by an index wherever one will do: for statements that reach few rows, as those
	// of a request do. What the URL says goes before, and a pooler may not know it.
	ByIndex bool
	// Counted are the tables of which the number of rows is kept. On PostgreSQL a
	// statement that writes a single row of theirs counts itself, see counts.Itself.
	Counted []string
	// OnPrimary, if it is set, is told the address of the host that takes writes, of the
	// several of a URL, when it is another than before.
	OnPrimary func(host string)
	// MustExist makes a SQLite file that is not there an error.
	MustExist bool
}

// The pool sizes where Options names none.
const (
	DefaultPostgresConns = 24
	DefaultSQLiteReaders = 8
)

// DB is an open database. Its methods may be called from many goroutines.
type DB struct {
	dialect  string
	driver   dialect.Driver
	writer   *sql.DB                                   // on PostgreSQL the only pool
	reader   *sql.DB                                   // on PostgreSQL the same pool
	file     *sqliteFile                               // nil on PostgreSQL
	confined bool                                      // see Options.Confined
	apart    func(wait time.Duration) (*sql.DB, error) // see Apart
}

// Open opens the database that rawURL names:
//
//   - "sqlite:PATH", a file, relative to the working folder or absolute. The rest
//     of the URL is the file's name to the letter: nothing in it is escaped, and
//     there are no parameters. The file is created if it is not there, unless
//     opts forbids it.
//   - "postgres://…" or "postgresql://…", as lib/pq reads it. sslmode is honoured
//     as given; without it lib/pq requires TLS but does not verify the server
//     ("require"): say sslmode=verify-full in production.
//
// A faulty URL is an error of one line that never holds the password. Opening
// does not need a PostgreSQL server to be there: Ping tells whether it is. A
// SQLite file is opened at once, so its errors come from here.
func Open(rawURL string, opts Options) (*DB, error) {
	if path, ok := strings.CutPrefix(rawURL, "sqlite:"); ok {
		if len(opts.Confined) > 0 {
			return nil, ErrNoRowSecurity
		}
		return openSQLite(path, opts)
	}
	if strings.HasPrefix(rawURL, "postgres://") || strings.HasPrefix(rawURL, "postgresql://") {
		return openPostgres(rawURL, opts)
	}
	return nil, errors.New(`the database URL must begin with "sqlite:" or "postgres://"`)
}

// Dialect returns dialect.Postgres or dialect.SQLite.
func (db *DB) Dialect() string { return db.dialect }

// Confined reports whether row-level security confines each statement, see
// Options.Confined.
func (db *DB) Confined() bool { return db.confined }

// Driver returns what an Ent client stands on: ent.NewClient(ent.Driver(db.Driver())).
func (db *DB) Driver() dialect.Driver { return db.driver }

// SQL returns the pool that writes, for migrations, the import and tests. It
// repeats nothing: a write whose reply is lost is an ErrOutcomeUnknown here. On
// SQLite it holds one connection, so a transaction left open blocks all writers.
func (db *DB) SQL() *sql.DB { return db.writer }

// Conns returns how many statements can be at work at once: the connections to
// PostgreSQL, the readers of SQLite.
func (db *DB) Conns() int { return db.reader.Stats().MaxOpenConnections }

// Pools returns the pools by their names: "all" on PostgreSQL, "reader" and "writer"
// on SQLite, where what waits for its turn to write counts as in use.
func (db *DB) Pools() map[string]*sql.DB {
	if db.reader == db.writer {
		return map[string]*sql.DB{"all": db.writer}
	}
	return map[string]*sql.DB{"reader": db.reader, "writer": db.writer}
}

// Apart opens a pool of its own, for migrations, which the caller closes. It takes
// nothing from the program's pool, however small that is. On SQLite its one
// connection does not enforce foreign keys, so that a table can be rebuilt, and
// a rollback brings everything back; all other connections enforce them. There a
// statement waits for another process no longer than wait; on PostgreSQL its
// lock_timeout says that.
func (db *DB) Apart(wait time.Duration) (*sql.DB, error) { return db.apart(wait) }

// Path returns the absolute name of an embedded database's file, "" on PostgreSQL.
func (db *DB) Path() string {
	if db.file == nil {
		return ""
	}
	return db.file.path
}

// Ping makes a round trip to the database, and fails if it cannot be read.
func (db *DB) Ping(ctx context.Context) error {
	query := "SELECT 1"
	if db.dialect == dialect.SQLite {
		if err := db.file.inPlace(); err != nil {
			return err
		}
		query = "SELECT count(*) FROM sqlite_schema" // SELECT 1 would not touch the file
	}
	var n int
	if err := db.reader.QueryRowContext(ctx, query).Scan(&n); err != nil {
		return fmt.Errorf("reach the database: %w", err)
	}
	return nil
}

// Close waits for the statements in progress and closes every connection.
func (db *DB) Close() error { return db.driver.Close() }

package database

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// openTimeout bounds the first look at a file, which another process may hold.
const openTimeout = 10 * time.Second

// sqliteSeats is how many that write are remembered between their writes. They cost
// next to nothing.
const sqliteSeats = 256

// readerCache bounds what each reader keeps of the file, in KiB. The fifty newest
// records of a workspace may lie on as many pages of 4 KiB, and those of the index come
// on top: 256 KiB did not hold them. SQLite's default of 2 MiB for each takes 12 MB more
// with thousands of workspaces, and buys no time.
const readerCache = "_pragma=cache_size(-768)"

// foreignKeys makes SQLite enforce them, which it does not by itself.
const foreignKeys = "_pragma=foreign_keys(1)"

// openSQLite opens the file at path, and creates it if need be and opts allow it,
// with two pools: a writer with one connection, and readers that cannot write.
func openSQLite(path string, opts Options) (*DB, error) {
	path, err := sqlitePath(path)
	if err != nil {
		return nil, err
	}
	if err := touch(path, !opts.MustExist); err != nil {
		return nil, err
	}
	file, err := newSQLiteFile(path)
	if err != nil {
		return nil, err
	}
	readers := opts.MaxConns
	if readers <= 0 {
		readers = DefaultSQLiteReaders
	}
	one, err := sqliteConnections(path, busyTimeout, "_pragma=journal_mode(WAL)", foreignKeys)
	if err != nil {
		return nil, err
	}
	writer := sql.OpenDB(&sqliteWriter{connector: one, file: file, long: togetherLong})
	writer.SetMaxIdleConns(sqliteSeats)
	reader, err := sqlitePool(path, readers, busyTimeout, "_pragma=query_only(1)", readerCache, foreignKeys)
	if err != nil {
		return nil, err
	}
	db := &DB{
		dialect: dialect.SQLite,
		driver: &sqliteDriver{
			writer: entsql.OpenDB(dialect.SQLite, writer),
			reader: entsql.OpenDB(dialect.SQLite, reader),
			file:   file,
		},
		writer: writer,
		reader: reader,
		file:   file,
		apart: func(wait time.Duration) (*sql.DB, error) {
			return sqlitePool(path, 1, wait, "_txlock=immediate")
		},
	}
	if err := db.check(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// sqlitePool makes a pool of so many connections to the file at path.
func sqlitePool(path string, conns int, wait time.Duration, params ...string) (*sql.DB, error) {
	connector, err := sqliteConnections(path, wait, params...)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(connector)
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	return pool, nil
}

// sqliteConnections makes connections to the file at path. Times are written in
// UTC, with their offset, and read so. FULL survives a power cut; NORMAL loses the
// last writes. A statement waits for another process for so long.
func sqliteConnections(path string, wait time.Duration, params ...string) (*sqliteConnector, error) {
	params = append(params,
		"_pragma=busy_timeout("+fmt.Sprint(min(wait, busySlice).Milliseconds())+")",
		"_pragma=synchronous(FULL)",
		"_time_format=sqlite",
		"_timezone=UTC",
		"_error_rc=1", // no message of an earlier error beside the code of this one
	)
	// As a URI with every odd character escaped, a name may hold '?', '%' and '#'.
	inner, err := sqlite.NewConnector("file:" + url.PathEscape(path) + "?" + strings.Join(params, "&"))
	if err != nil {
		return nil, err
	}
	return &sqliteConnector{inner, patience(wait)}, nil
}

// sqlitePath makes the part of a URL after "sqlite:" an absolute path.
func sqlitePath(path string) (string, error) {
	switch {
	case path == "":
		return "", errors.New(`the database URL names no file: write sqlite:PATH`)
	case path == ":memory:":
		return "", errors.New("the database URL must name a file: SQLite in memory is not supported")
	case strings.HasPrefix(path, "//") && !strings.HasPrefix(path, "///"):
		return "", errors.New(`the database URL has a host: write sqlite:PATH, without "//"`)
	case strings.ContainsRune(path, 0):
		return "", errors.New("the database URL names no possible file")
	}
	return filepath.Abs(path)
}

// HasLog reports whether a part of the SQLite file at path may be in its log, beside it.
func HasLog(path string) bool {
	log, err := os.Stat(path + "-wal")
	return err == nil && log.Size() > 0
}

// touch opens the file, or creates it if it may, for its owner only, as it holds the
// hashes of keys. SQLite gives the files that it puts beside it the same mode.
//
// It makes none beside a log of one that is gone: SQLite would remove that, with what
// was written last. The log is looked for first, as who makes a new file makes its log
// afterwards.
func touch(path string, create bool) error {
	hasLog := HasLog(path)
	flags := os.O_RDWR
	if create && !hasLog {
		flags |= os.O_CREATE
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if err == nil {
		return file.Close()
	}
	if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot open the database: there is no folder %s", filepath.Dir(path))
	}
	if errors.Is(err, fs.ErrNotExist) && hasLog {
		return fmt.Errorf("cannot open the database: there is no file %s, but its log %s-wal is there and holds what was written last: put the file back beside it, or, if that may be lost, remove the log", path, path)
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("cannot open the database: there is no file %s", path)
	}
	return fmt.Errorf("cannot open the database: %w", err)
}

// check reads the file once on each pool, so that what is wrong with it is known
// now. The writer goes first: it sets the journal's mode.
func (db *DB) check() error {
	ctx, cancel := context.WithTimeout(context.Background(), openTimeout)
	defer cancel()
	for _, pool := range []*sql.DB{db.writer, db.reader} {
		var n int
		err := pool.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&n)
		if sqliteCode(err)&0xff == sqlite3.SQLITE_NOTADB {
			return fmt.Errorf("cannot open the database: %s is not a SQLite database", db.Path())
		}
		if err != nil {
			return fmt.Errorf("cannot open the database %s: %w", db.Path(), err)
		}
	}
	return nil
}

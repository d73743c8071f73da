package database

import (
	"context"
	"database/sql"
	"errors"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// sqliteDriver sends what only reads to the readers, which never wait, and
// everything else to the one writer, in turn. A goroutine that holds a writing
// transaction and writes outside it waits for itself until its context ends.
type sqliteDriver struct {
	writer, reader *entsql.Driver
	file           *sqliteFile
}

// Exec implements dialect.ExecQuerier.
func (d *sqliteDriver) Exec(ctx context.Context, query string, args, v any) error {
	return d.writer.Exec(ctx, query, args, v)
}

// Query implements dialect.ExecQuerier. What a write returned is in memory: its
// rows are not lost with the context.
func (d *sqliteDriver) Query(ctx context.Context, query string, args, v any) error {
	if kindOf(query) == read {
		if err := d.file.lately(); err != nil {
			return err
		}
		return d.reader.Query(ctx, query, args, v)
	}
	if joins(query) {
		ctx = outliving(ctx)
	}
	return d.writer.Query(ctx, query, args, v)
}

// Tx starts a transaction that may write.
func (d *sqliteDriver) Tx(ctx context.Context) (dialect.Tx, error) { return d.BeginTx(ctx, nil) }

// BeginTx starts a transaction. One that only reads sees one snapshot of the
// database and hinders nobody; any other has the database's write lock at once.
func (d *sqliteDriver) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	if opts != nil && opts.ReadOnly {
		if err := d.file.lately(); err != nil {
			return nil, err
		}
		return d.reader.BeginTx(ctx, opts)
	}
	return d.writer.BeginTx(ctx, opts)
}

// ExecContext runs a statement on the writer, in turn.
func (d *sqliteDriver) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	return d.writer.ExecContext(ctx, query, args...)
}

// QueryContext runs a query, on the writer and in turn if it may write.
func (d *sqliteDriver) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if kindOf(query) == read {
		if err := d.file.lately(); err != nil {
			return nil, err
		}
		return d.reader.QueryContext(ctx, query, args...)
	}
	return d.writer.QueryContext(ctx, query, args...)
}

// Dialect implements dialect.Driver.
func (d *sqliteDriver) Dialect() string { return dialect.SQLite }

// Close implements dialect.Driver. The writer goes last: SQLite folds its log into
// the file as the last connection leaves.
func (d *sqliteDriver) Close() error { return errors.Join(d.reader.Close(), d.writer.Close()) }

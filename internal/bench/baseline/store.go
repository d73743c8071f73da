package main

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"
)

// store is the database with every statement prepared.
type store struct {
	reader, writer                                                     *sql.DB // the same on PostgreSQL
	keys, one, first, later, total, countFirst, countLater, countTotal *sql.Stmt
	insert, change, remove                                             *sql.Stmt
}

// open opens a database and makes it keep its counts.
func open(ctx context.Context, url string) (*store, error) {
	s := &store{}
	var texts *statements
	var err error
	switch {
	case strings.HasPrefix(url, "sqlite:"):
		texts, err = &sqliteStatements, s.openSQLite(strings.TrimPrefix(url, "sqlite:"))
	case strings.HasPrefix(url, "postgres"):
		texts, err = &postgresStatements, s.openPostgres(url)
	default:
		err = errors.New("-database must be sqlite:FILE or postgres://…")
	}
	if err != nil {
		return nil, err
	}
	for _, text := range texts.prepare {
		if _, err := s.writer.ExecContext(ctx, text); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, s.prepare(ctx, texts)
}

// prepare prepares every statement; database/sql repeats it for each connection.
func (s *store) prepare(ctx context.Context, texts *statements) (err error) {
	prepared := func(db *sql.DB, text string) *sql.Stmt {
		if err != nil {
			return nil
		}
		var stmt *sql.Stmt
		stmt, err = db.PrepareContext(ctx, text)
		return stmt
	}
	s.keys = prepared(s.reader, keyText)
	s.one = prepared(s.reader, texts.get())
	s.first = prepared(s.reader, texts.first(keptTotal))
	s.later = prepared(s.reader, texts.later(keptTotal))
	s.total = prepared(s.reader, "SELECT "+keptTotal)
	s.countFirst = prepared(s.reader, texts.first(countedTotal))
	s.countLater = prepared(s.reader, texts.later(countedTotal))
	s.countTotal = prepared(s.reader, "SELECT "+countedTotal)
	s.insert = prepared(s.writer, texts.insert)
	s.change = prepared(s.writer, texts.update())
	s.remove = prepared(s.writer, texts.delete)
	return err
}

// Close closes every connection; on SQLite the last folds the log into the file.
func (s *store) Close() error { return errors.Join(s.reader.Close(), s.writer.Close()) }

func (s *store) key(ctx context.Context, hash string) (k key, err error) {
	var scope string
	err = s.keys.QueryRowContext(ctx, hash, time.Now().UTC()).Scan(&k.workspace, &scope)
	k.write = scope == "write"
	return k, err
}

func (s *store) get(ctx context.Context, b []byte, workspace, id string) ([]byte, error) {
	return appendOne(ctx, b, s.one, workspace, id)
}

// pageFunc appends a page of tasks, and returns how many there are in all.
type pageFunc func(ctx context.Context, b []byte, workspace string, limit, offset int) ([]byte, int64, error)

func (s *store) page(ctx context.Context, b []byte, workspace string, limit, offset int) ([]byte, int64, error) {
	return readPage(ctx, s.first, s.later, s.total, b, workspace, limit, offset)
}

func (s *store) countedPage(ctx context.Context, b []byte, workspace string, limit, offset int) ([]byte, int64, error) {
	return readPage(ctx, s.countFirst, s.countLater, s.countTotal, b, workspace, limit, offset)
}

func readPage(ctx context.Context, first, later, total *sql.Stmt, b []byte, workspace string, limit, offset int) (_ []byte, count int64, err error) {
	var rows *sql.Rows
	if offset == 0 {
		rows, err = first.QueryContext(ctx, workspace, limit)
	} else {
		rows, err = later.QueryContext(ctx, workspace, limit, offset)
	}
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	var r row
	targets := r.targets(&count)
	n := 0
	for ; rows.Next(); n++ {
		if err := rows.Scan(targets...); err != nil {
			return nil, 0, err
		}
		if n > 0 {
			b = append(b, ',')
		}
		b = r.append(b)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, err
	}
	if n == 0 && offset > 0 {
		err = total.QueryRowContext(ctx, workspace).Scan(&count)
	}
	return b, count, err
}

func (s *store) create(ctx context.Context, b []byte, workspace, id string, in input) ([]byte, error) {
	now := time.Now().UTC().Truncate(time.Millisecond)
	_, err := s.insert.ExecContext(ctx, workspace, id, now, in.Name.value, in.Status.value, in.Priority.value,
		in.ProjectID.value, in.AssigneeID.value, in.DueDate.value, in.Description.value)
	return appendInput(b, id, &in, now), err
}

func (s *store) update(ctx context.Context, b []byte, workspace, id string, in input) ([]byte, error) {
	now := time.Now().UTC().Truncate(time.Millisecond).Add(time.Millisecond)
	return appendOne(ctx, b, s.change, workspace, id, now,
		in.Name.set, in.Name.value, in.Status.set, in.Status.value, in.Priority.set, in.Priority.value,
		in.ProjectID.set, in.ProjectID.value, in.AssigneeID.set, in.AssigneeID.value,
		in.DueDate.set, in.DueDate.value, in.Description.set, in.Description.value)
}

func (s *store) delete(ctx context.Context, workspace, id string) (bool, error) {
	result, err := s.remove.ExecContext(ctx, workspace, id)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// appendOne appends the one task that a statement returns, or returns
// sql.ErrNoRows.
func appendOne(ctx context.Context, b []byte, stmt *sql.Stmt, args ...any) ([]byte, error) {
	rows, err := stmt.QueryContext(ctx, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	var r row
	if err := rows.Scan(r.targets()...); err != nil {
		return nil, err
	}
	b = r.append(b)
	for rows.Next() { // to its end, where what failed late is told
	}
	return b, rows.Err()
}

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"entgo.io/ent/dialect"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/viewer"
)

// batch is how many rows go into one transaction.
const batch = 10_000

// load migrates the database at url with the program itself, and fills it. The
// database's own triggers see every row.
func load(ctx context.Context, program, url string, p plan) (*data, error) {
	migrate := exec.CommandContext(ctx, program, "migrate", "up", "--database.url", url)
	if out, err := migrate.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	db, err := database.Open(url, database.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	d := newData(p)
	if err := d.fill(ctx, db); err != nil {
		return nil, err
	}
	if err := d.mint(ctx, db); err != nil {
		return nil, err
	}
	return d, settle(ctx, db)
}

// fill writes the records.
func (d *data) fill(ctx context.Context, db *database.DB) error {
	l := &loader{ctx: ctx, db: db.SQL(), postgres: db.Dialect() == dialect.Postgres}
	all := d.all()
	for _, w := range all {
		l.add("workspaces", workspaceColumns, w.row())
	}
	l.flush()
	for _, w := range all {
		l.add("projects", projectColumns, w.projectRow())
	}
	l.flush()
	for _, w := range all {
		for i := range w.tasks {
			l.add("tasks", taskColumns, w.taskRow(i))
		}
	}
	l.flush()
	return l.err
}

// mint makes a key for each workspace.
func (d *data) mint(ctx context.Context, db *database.DB) error {
	tx, err := ent.NewClient(ent.Driver(db.Driver())).Tx(ctx)
	if err != nil {
		return err
	}
	for _, w := range d.all() {
		request := apikey.Request{Workspace: w.id(), Name: "bench", Scope: viewer.Write}
		if _, w.token, err = apikey.Create(rule.AsOperator(ctx), tx.Client(), request); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	return tx.Commit()
}

// settle leaves the database as one that has been in use: with statistics, and
// with nothing left to do in the background.
func settle(ctx context.Context, db *database.DB) error {
	for _, text := range map[string][]string{
		dialect.Postgres: {"VACUUM (ANALYZE)", "CHECKPOINT"},
		dialect.SQLite:   {"ANALYZE", "PRAGMA wal_checkpoint(TRUNCATE)"},
	}[db.Dialect()] {
		if _, err := db.SQL().ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// loader writes rows in batches: COPY on PostgreSQL, INSERT on SQLite. After an
// error it does nothing more.
type loader struct {
	ctx      context.Context
	db       *sql.DB
	postgres bool
	table    string
	columns  []string
	rows     [][]any
	err      error
}

func (l *loader) add(table string, columns []string, row []any) {
	l.table, l.columns = table, columns
	if l.rows = append(l.rows, row); len(l.rows) == batch {
		l.flush()
	}
}

// flush writes the batch.
func (l *loader) flush() {
	if l.err == nil && len(l.rows) > 0 {
		l.err = l.write()
	}
	l.rows = l.rows[:0]
}

func (l *loader) write() error {
	tx, err := l.db.BeginTx(l.ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	send := l.insert
	if l.postgres {
		send = l.copy
	}
	if err := send(tx); err != nil {
		return err
	}
	return tx.Commit()
}

func (l *loader) copy(tx *sql.Tx) error {
	stmt, err := tx.PrepareContext(l.ctx, "COPY "+l.table+" ("+strings.Join(l.columns, ", ")+") FROM STDIN")
	if err != nil {
		return err
	}
	defer stmt.Close()
	for _, row := range l.rows {
		if _, err := stmt.ExecContext(l.ctx, row...); err != nil {
			return err
		}
	}
	if _, err := stmt.ExecContext(l.ctx); err != nil { // the end of the COPY
		return err
	}
	return stmt.Close()
}

// insert writes row by row: the connection keeps the statement prepared.
func (l *loader) insert(tx *sql.Tx) error {
	text := fmt.Sprintf("INSERT INTO %s (%s) VALUES (?%s)", l.table, strings.Join(l.columns, ", "), strings.Repeat(", ?", len(l.columns)-1)) //nolint:gosec // names are the harness's own
	for _, row := range l.rows {
		if _, err := tx.ExecContext(l.ctx, text, row...); err != nil {
			return err
		}
	}
	return nil
}

package tracing

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"entgo.io/ent/dialect"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"

	"records/internal/database"
)

// Driver returns a driver that follows each statement of a request that is traced: from
// when it is sent until its answer begins. What nobody's request asks for, such as
// the look-up of a key for many of them, is followed by none.
func (t *Traces) Driver(d dialect.Driver) dialect.Driver {
	system := semconv.DBSystemNamePostgreSQL
	if d.Dialect() == dialect.SQLite {
		system = semconv.DBSystemNameSQLite
	}
	return &driver{d, follower{t.tracer, system}}
}

type driver struct {
	dialect.Driver
	follower
}

// Exec implements dialect.ExecQuerier.
func (d *driver) Exec(ctx context.Context, query string, args, v any) error {
	return d.follow(ctx, query, func(ctx context.Context) error { return d.Driver.Exec(ctx, query, args, v) })
}

// Query implements dialect.ExecQuerier.
func (d *driver) Query(ctx context.Context, query string, args, v any) error {
	return d.follow(ctx, query, func(ctx context.Context) error { return d.Driver.Query(ctx, query, args, v) })
}

// Tx implements dialect.Driver.
func (d *driver) Tx(ctx context.Context) (dialect.Tx, error) { return d.begin(ctx, d.Driver.Tx) }

// BeginTx is what Ent asks a driver for beside its interface.
func (d *driver) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	begins, ok := d.Driver.(interface {
		BeginTx(context.Context, *sql.TxOptions) (dialect.Tx, error)
	})
	if !ok {
		return nil, errors.New("tracing: the driver takes no options for a transaction")
	}
	return d.begin(ctx, func(ctx context.Context) (dialect.Tx, error) { return begins.BeginTx(ctx, opts) })
}

func (d *driver) begin(ctx context.Context, begin func(context.Context) (dialect.Tx, error)) (tx dialect.Tx, err error) {
	err = d.follow(ctx, "BEGIN", func(context.Context) error { // which the transaction outlives
		tx, err = begin(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	return &transaction{tx, d.follower, ctx}, nil
}

type transaction struct {
	dialect.Tx
	follower
	ctx context.Context
}

// Exec implements dialect.ExecQuerier.
func (t *transaction) Exec(ctx context.Context, query string, args, v any) error {
	return t.follow(ctx, query, func(ctx context.Context) error { return t.Tx.Exec(ctx, query, args, v) })
}

// Query implements dialect.ExecQuerier.
func (t *transaction) Query(ctx context.Context, query string, args, v any) error {
	return t.follow(ctx, query, func(ctx context.Context) error { return t.Tx.Query(ctx, query, args, v) })
}

// Commit implements driver.Tx.
func (t *transaction) Commit() error {
	return t.follow(t.ctx, "COMMIT", func(context.Context) error { return t.Tx.Commit() })
}

// follower makes the spans of statements.
type follower struct {
	tracer trace.Tracer
	system attribute.KeyValue
}

// follow runs a statement. Its span says what it does to which table, and nothing of
// what the database answers.
func (f follower) follow(ctx context.Context, query string, run func(context.Context) error) error {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return run(ctx)
	}
	operation, table := summary(query)
	ctx, span := f.tracer.Start(ctx, strings.TrimSpace(operation+" "+table), trace.WithSpanKind(trace.SpanKindClient))
	defer span.End()
	span.SetAttributes(f.system, semconv.DBOperationName(operation))
	if table != "" {
		span.SetAttributes(semconv.DBCollectionName(table))
	}
	err := run(ctx)
	if err != nil {
		kind := database.Kind(err)
		switch {
		case errors.Is(err, context.Canceled):
			kind = "canceled"
		case kind == "":
			kind = "refused"
		}
		span.SetStatus(codes.Error, "")
		span.SetAttributes(semconv.ErrorTypeKey.String(kind))
	}
	return err
}

// summary returns what a statement does and the table that it does it to, which is
// named outside of all parentheses.
func summary(query string) (operation, table string) {
	depth, named := 0, false
	for word := range strings.FieldsSeq(query) {
		if operation == "" {
			operation = strings.ToUpper(word)
		}
		if named {
			return operation, strings.Trim(word, "\"`(),;")
		}
		depth += strings.Count(word, "(") - strings.Count(word, ")")
		switch strings.ToUpper(word) {
		case "FROM", "INTO", "UPDATE":
			named = depth == 0
		}
	}
	return operation, ""
}

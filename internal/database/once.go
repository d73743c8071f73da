package database

import (
	"context"
	"database/sql"
	"errors"

	entsql "entgo.io/ent/dialect/sql"
)

// onceDriver makes lost replies harmless outside transactions, by sending the
// statement again. It may, for three reasons that every schema must keep to:
//
//   - an INSERT carries a primary key made in this process: if a repeat meets that
//     key, the row is the statement's own
//   - an UPDATE sets values that do not depend on the row's former ones
//   - an UPDATE or DELETE that finds no row when repeated leaves open whether it
//     did the first time: that stays an ErrOutcomeUnknown, never a false "none"
//
// A write that no synchronous standby has confirmed is not repeated either: a repeat
// would find it on the server that may be about to go with it.
//
// A statement that PostgreSQL undid because others were in its way is sent again, too:
// it had no effect, and a client who is told so can do no better.
//
// In a transaction nothing is repeated: a lost statement undoes the transaction.
// Nor are ExecContext and QueryContext, which are database/sql's own.
type onceDriver struct{ *entsql.Driver }

// Exec implements dialect.ExecQuerier.
func (d *onceDriver) Exec(ctx context.Context, query string, args, v any) error {
	err := d.Driver.Exec(ctx, query, args, v)
	kind := kindOf(query)
	if kind != other {
		err = repeatWhile(ctx, hasGivenWay, err, func(ctx context.Context) error { return d.Driver.Exec(ctx, query, args, v) })
	}
	if !errors.Is(err, ErrOutcomeUnknown) || errors.Is(err, errUnreplicated) || kind == other {
		return err
	}
	var result sql.Result
	err = repeat(ctx, err, func(ctx context.Context) error {
		err := d.Driver.Exec(ctx, query, args, &result)
		if kind == insert && isOwnPrimaryKey(err, query) {
			result = uncounted{}
			return nil
		}
		return err
	})
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err == nil && n == 0 {
		return errNothingLeft
	}
	if v, ok := v.(*sql.Result); ok {
		*v = result
	}
	return nil
}

// Query implements dialect.ExecQuerier. An INSERT … RETURNING is not repeated: if
// it took effect, no repeat can bring its rows back.
func (d *onceDriver) Query(ctx context.Context, query string, args, v any) error {
	// The rows outlive this call, so every attempt runs in the caller's context.
	send := func(context.Context) error { return d.Driver.Query(ctx, query, args, v) }
	err := send(ctx)
	kind := kindOf(query)
	if kind != other {
		err = repeatWhile(ctx, hasGivenWay, err, send)
	}
	switch {
	case kind == read && isBroken(err):
		return repeatWhile(ctx, isBroken, err, send)
	case (kind == update || kind == remove) && errors.Is(err, ErrOutcomeUnknown) && !errors.Is(err, errUnreplicated):
		if err := repeat(ctx, err, send); err != nil {
			return err
		}
		rows := v.(*entsql.Rows)
		rows.ColumnScanner = &repeatedRows{ColumnScanner: &writtenRows{rows.ColumnScanner, ctx}}
		return nil
	case kind != read && err == nil:
		rows := v.(*entsql.Rows)
		rows.ColumnScanner = &writtenRows{rows.ColumnScanner, ctx}
	}
	return err
}

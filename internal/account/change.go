package account

import (
	"context"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	"records/ent/workspace"
	"records/internal/viewer"
)

// change runs f in a transaction, one at a time in a workspace: what f reads of its
// members holds until it is done. Whoever is signed in acts by the role that they
// have then, and no longer by the one at the request's beginning.
func change(ctx context.Context, client *ent.Client, in uuid.UUID, f func(ctx context.Context, tx *ent.Client) error) error {
	tx, err := client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	row := tx.Workspace.Query().Where(workspace.ID(in))
	row.Modify(lock)
	if _, err := row.Only(rule.AsOperator(ctx)); err != nil {
		return err
	}
	if _, ok := viewer.PersonFromContext(ctx); ok {
		if ctx, err = Enter(ctx, tx.Client(), in); err != nil {
			return err
		}
	}
	if err := f(ctx, tx.Client()); err != nil {
		return err
	}
	return tx.Commit()
}

// lock keeps a row from others who lock it, but not from records that refer to it.
// SQLite has one transaction at a time in any case.
func lock(s *sql.Selector) {
	if s.Dialect() == dialect.Postgres {
		s.For(sql.LockNoKeyUpdate)
	}
}

// record writes what was done into the workspace's record, in the transaction of
// the deed. nil is the operator.
func record(ctx context.Context, tx *ent.Client, in uuid.UUID, by *uuid.UUID, action, detail string) error {
	return tx.AuditEvent.Create().SetWorkspaceID(in).SetNillableUserID(by).SetAction(action).SetDetail(detail).Exec(rule.AsOperator(ctx))
}

// actor is who is signed in, nil for the operator.
func actor(ctx context.Context) *uuid.UUID {
	if p, ok := viewer.PersonFromContext(ctx); ok {
		return &p.User
	}
	return nil
}

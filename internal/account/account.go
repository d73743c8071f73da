// Package account is who people are in the developer area: users and their
// passwords, sessions, invitations, and what a member may do in a workspace. The
// pages and the command line both stand on it, as they do on apikey for keys.
//
// Before somebody is signed in there is nobody whom a rule could ask about. What
// has to look past the rules then (a password, a session, a link) does it here.
package account

import (
	"context"
	"errors"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/member"
	"records/internal/viewer"
)

// ErrRefused is the one answer to a wrong email address and to a wrong password.
var ErrRefused = errors.New("the email address or the password is wrong")

// ErrNoMember is the answer to whoever asks for a workspace that they are no
// member of, whether it exists or not.
var ErrNoMember = errors.New("there is no such workspace, or you are no member of it")

// Enter returns a context in which who is signed in acts as a member of a
// workspace, or ErrNoMember.
func Enter(ctx context.Context, client *ent.Client, workspace uuid.UUID) (context.Context, error) {
	return enter(ctx, client, workspace, func(*sql.Selector) {})
}

// Stay is Enter in a transaction: until its end nobody removes the member, or gives
// them another role.
func Stay(ctx context.Context, tx *ent.Client, workspace uuid.UUID) (context.Context, error) {
	return enter(ctx, tx, workspace, func(s *sql.Selector) {
		if s.Dialect() == dialect.Postgres { // SQLite has one transaction at a time in any case
			s.For(sql.LockShare)
		}
	})
}

func enter(ctx context.Context, client *ent.Client, workspace uuid.UUID, hold func(*sql.Selector)) (context.Context, error) {
	p, ok := viewer.PersonFromContext(ctx)
	if !ok {
		return nil, ErrNoMember
	}
	p.Workspace, p.Role = uuid.Nil, ""
	row := client.Member.Query().Where(member.WorkspaceID(workspace))
	row.Modify(hold)
	m, err := row.Only(viewer.NewPersonContext(ctx, p))
	if ent.IsNotFound(err) {
		return nil, ErrNoMember
	}
	if err != nil {
		return nil, err
	}
	p.Workspace, p.Role = workspace, viewer.Role(m.Role)
	return viewer.NewPersonContext(ctx, p), nil
}

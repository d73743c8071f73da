package database

import (
	"context"
	"errors"
)

// ErrUnenforced is returned for a connection whose sessions PostgreSQL holds to nothing.
// It counts as unreachable: nothing is sent on it.
var ErrUnenforced = errors.New("session_replication_role is replica, so that references and counts do not hold, and servers do not learn that a key was revoked: RESET it where the role, the database or the server sets it")

// enforced returns ErrUnenforced for a session in which the server fires no trigger, and
// so checks no foreign key either. Only a superuser can set that, for a bulk load as a
// rule; where it is forgotten nothing else would tell.
func (c *connection) enforced(ctx context.Context) error {
	row, err := c.row(ctx, 1, "SELECT current_setting('session_replication_role')")
	if err == nil && text(row[0]) == "replica" {
		err = ErrUnenforced
	}
	return err
}

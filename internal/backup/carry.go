package backup

import (
	"context"
	"database/sql"
)

// carried are the statements that take from a backup, f, what the database that is
// there, t, knows to be taken away. Each needs a table in it, which one of an earlier
// release may not have.
var carried = []struct{ table, statement string }{
	{"api_keys", `UPDATE fresh.api_keys AS f SET revoked_at = t.revoked_at FROM main.api_keys AS t
		WHERE t.id = f.id AND t.revoked_at IS NOT NULL AND f.revoked_at IS NULL`},
	{"api_keys", `UPDATE fresh.api_keys AS f SET scope = 'read' FROM main.api_keys AS t
		WHERE t.id = f.id AND t.scope = 'read' AND f.scope <> 'read'`},
	{"api_keys", `UPDATE fresh.api_keys AS f SET expires_at = t.expires_at FROM main.api_keys AS t
		WHERE t.id = f.id AND t.expires_at IS NOT NULL AND (f.expires_at IS NULL OR f.expires_at > t.expires_at)`},
	// A member whom the workspace no longer has was removed; of a workspace that is
	// not there at all, nothing is known.
	{"members", `DELETE FROM fresh.members AS f WHERE EXISTS (SELECT 1 FROM main.workspaces AS w WHERE w.id = f.workspace_id)
		AND NOT EXISTS (SELECT 1 FROM main.members AS t WHERE t.id = f.id)`},
	{"members", `UPDATE fresh.members AS f SET role = t.role FROM main.members AS t WHERE t.id = f.id AND t.role <> f.role`},
	{"users", `UPDATE fresh.users AS f SET password_hash = t.password_hash, issuer = t.issuer, subject = t.subject FROM main.users AS t
		WHERE t.id = f.id AND (t.password_hash, t.issuer, t.subject) IS NOT (f.password_hash, f.issuer, f.subject)`},
	{"invitations", `UPDATE fresh.invitations AS f SET accepted_at = t.accepted_at, revoked_at = t.revoked_at FROM main.invitations AS t
		WHERE t.id = f.id AND (t.accepted_at, t.revoked_at) IS NOT (f.accepted_at, f.revoked_at)`},
}

// carryOver takes it from the file at part, and returns from how many rows.
func carryOver(ctx context.Context, there *sql.DB, part string) (rows int64, err error) {
	if _, err := there.ExecContext(ctx, "ATTACH ? AS fresh", part); err != nil {
		return 0, err
	}
	for _, c := range carried {
		var n int64
		if err := there.QueryRowContext(ctx, "SELECT count(*) FROM main.sqlite_schema WHERE name = ?", c.table).Scan(&n); err != nil {
			return 0, err
		}
		if n == 0 {
			continue
		}
		result, err := there.ExecContext(ctx, c.statement)
		if err != nil {
			return 0, err
		}
		if n, err = result.RowsAffected(); err != nil {
			return 0, err
		}
		rows += n
	}
	_, err = there.ExecContext(ctx, "DETACH fresh")
	return rows, err
}

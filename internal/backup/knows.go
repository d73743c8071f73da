package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// ErrOtherDatabase is returned where the database to carry over from does not know all
// that the one to carry over to knows: it cannot tell what was taken away since.
var ErrOtherDatabase = errors.New("the database to carry over from is no later state of the restored one: it is another one, an older or an empty one, or the two are the wrong way round")

// knowsLast returns an error if what was last done in the restored database is unknown
// here. What is done to keys and members is written down for ever, in order.
func (s store) knowsLast(ctx context.Context, restored *sql.Tx) error {
	var last string
	err := restored.QueryRowContext(ctx, "SELECT CAST(id AS varchar) FROM audit_events ORDER BY id DESC LIMIT 1").Scan(&last)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	n := 0
	there, err := s.has(ctx, "audit_events")
	if err == nil && there {
		err = s.QueryRowContext(ctx, "SELECT count(*) FROM audit_events WHERE id = $1", last).Scan(&n)
	}
	if err == nil && n == 0 {
		err = fmt.Errorf("%w; it does not know what was last done there", ErrOtherDatabase)
	}
	return err
}

// unknown are the workspaces and keys of a restored database that the other one does not
// know, or not as revoked. The program deletes neither, and opens no key again.
const unknown = `SELECT count(*), coalesce(min(CAST(id AS varchar)), '') FROM (
	SELECT id FROM workspaces WHERE NOT EXISTS (SELECT 1 FROM then_workspaces AS t WHERE t.id = workspaces.id)
	UNION ALL SELECT id FROM api_keys WHERE NOT EXISTS (SELECT 1 FROM then_api_keys AS t
		WHERE t.id = api_keys.id AND (t.revoked_at IS NOT NULL OR api_keys.revoked_at IS NULL))) AS u`

// knowsAll returns an error if the restored database has workspaces or keys that the
// other one, of which these tables are there, does not know.
func knowsAll(ctx context.Context, restored *sql.Tx, there map[string]bool) error {
	if !there["workspaces"] || !there["api_keys"] {
		return fmt.Errorf("%w; it has no workspaces or no keys", ErrOtherDatabase)
	}
	var n int
	var example string
	if err := restored.QueryRowContext(ctx, unknown).Scan(&n, &example); err != nil {
		return err
	}
	if n > 0 {
		return fmt.Errorf("%w; %d of the workspaces and keys there it does not know, or not as revoked, such as %s", ErrOtherDatabase, n, example)
	}
	return nil
}

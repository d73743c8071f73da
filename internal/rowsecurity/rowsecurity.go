// Package rowsecurity puts up and takes down a further wall between workspaces, on
// PostgreSQL: row-level security, by which the server itself shows and takes only the
// rows of the workspace that a session is confined to. The program keeps each session
// confined (internal/database); why it is done so is in docs/adr/0023.
package rowsecurity

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect"

	entrest "records/ent/rest"
	"records/internal/database"
	"records/migrate/counts"
)

// everyone is the policy that leaves all other roles what they may do without any: a
// table with row-level security shows nothing to a role that no policy lets in.
const everyone = "records_everyone"

// own is true for the rows of the workspace that a session is confined to. It is
// never true where the session is confined to none.
const own = "workspace_id = nullif(current_setting('" + database.WorkspaceSetting + "', true), '')::uuid"

// Tables are those that it holds for: the records of every resource that is
// generated, and their counts. The others are read before it is known for which
// workspace, such as a key by its hash.
func Tables() []string {
	tables := append(entrest.Resources(nil).Tables(), counts.Table)
	slices.Sort(tables)
	return tables
}

// On confines some roles, and no others, in every table. The role that asks must own
// the tables. A table is locked for a moment, one after the other, and waited for as
// long as wait says; after an error it holds in some of them, and may be asked for
// again.
func On(ctx context.Context, db *database.DB, wait time.Duration, roles ...string) error {
	return on(ctx, db, wait, Tables(), roles)
}

func on(ctx context.Context, db *database.DB, wait time.Duration, tables, roles []string) error {
	to := make([]string, len(roles))
	for i, role := range roles {
		if err := confinable(ctx, db, role); err != nil {
			return err
		}
		to[i] = quote(role)
	}
	return each(ctx, db, wait, tables, func(table string) []string {
		return []string{
			drop(everyone, table), drop(database.WorkspacePolicy, table),
			fmt.Sprintf("CREATE POLICY %s ON %s USING (true) WITH CHECK (true)", everyone, quote(table)),
			fmt.Sprintf("CREATE POLICY %s ON %s AS RESTRICTIVE TO %s USING (%s) WITH CHECK (%[4]s)", database.WorkspacePolicy, quote(table), strings.Join(to, ", "), own),
			fmt.Sprintf("ALTER TABLE %s ENABLE ROW LEVEL SECURITY", quote(table)),
		}
	})
}

// Off takes it away again, in every table.
func Off(ctx context.Context, db *database.DB, wait time.Duration) error {
	return each(ctx, db, wait, Tables(), func(table string) []string {
		return []string{
			fmt.Sprintf("ALTER TABLE %s DISABLE ROW LEVEL SECURITY", quote(table)),
			drop(database.WorkspacePolicy, table), drop(everyone, table),
		}
	})
}

// Keep brings the tables that came since under it, where it is on, and touches no
// other: where none came, it waits for nobody, and any role may ask. It returns the
// roles that are confined, none where it is off.
func Keep(ctx context.Context, db *database.DB, wait time.Duration) ([]string, error) {
	roles, err := Roles(ctx, db)
	if err != nil || len(roles) == 0 {
		return nil, err
	}
	lacking, err := names(ctx, db, lacking, database.WorkspacePolicy)
	if err != nil || len(lacking) == 0 {
		return roles, err
	}
	return roles, on(ctx, db, wait, lacking, roles)
}

// lacking are the tables in which it is not on for all roles that are confined in any.
const lacking = `WITH held AS (SELECT polrelid, polroles FROM pg_policy WHERE polname = $1 AND polrelid IN (` + present + `))
	SELECT name FROM unnest($2::text[]) AS name WHERE NOT EXISTS (
		SELECT FROM held JOIN pg_class ON pg_class.oid = held.polrelid JOIN pg_policy AS open ON open.polrelid = pg_class.oid
		WHERE pg_class.oid = to_regclass(quote_ident(name)) AND relrowsecurity AND open.polname = '` + everyone + `'
		AND held.polroles @> (SELECT array_agg(DISTINCT role) FROM held, unnest(polroles) AS role)
	) ORDER BY name`

// Roles are those that are confined in any table, by name.
func Roles(ctx context.Context, db *database.DB) ([]string, error) {
	return names(ctx, db, `SELECT DISTINCT rolname FROM pg_policy, unnest(polroles) AS role JOIN pg_roles ON pg_roles.oid = role
		WHERE polname = $1 AND polrelid IN (`+present+`) ORDER BY rolname`, database.WorkspacePolicy)
}

// Hidden returns the tables whose rows this program does not see: they are confined for
// its role, and its sessions were not told to which workspace. It would take them for
// empty.
func Hidden(ctx context.Context, db *database.DB) ([]string, error) {
	if db.Dialect() != dialect.Postgres || db.Confined() {
		return nil, nil
	}
	return Holds(ctx, db)
}

// Holds returns the tables in which the role that asks is confined.
func Holds(ctx context.Context, db *database.DB) ([]string, error) {
	return names(ctx, db, `SELECT relname FROM pg_policy JOIN pg_class ON pg_class.oid = polrelid
		WHERE polname = $1 AND polrelid IN (`+present+`) AND row_security_active(polrelid)
		AND EXISTS (SELECT FROM unnest(polroles) AS role WHERE role = 0 OR pg_has_role(role, 'USAGE')) ORDER BY relname`, database.WorkspacePolicy)
}

// present are the tables of $2 that are there.
const present = "SELECT to_regclass(quote_ident(name)) FROM unnest($2::text[]) AS name"

func names(ctx context.Context, db *database.DB, query string, policy string) (all []string, err error) {
	rows, err := db.SQL().QueryContext(ctx, query, policy, "{"+strings.Join(Tables(), ",")+"}")
	if err != nil {
		return nil, fmt.Errorf("reading the policies: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		all = append(all, name)
	}
	return all, rows.Err()
}

// confinable refuses a role that passes row-level security, whatever the policies say.
func confinable(ctx context.Context, db *database.DB, role string) error {
	var passes, owns bool
	err := db.SQL().QueryRowContext(ctx, `SELECT rolsuper OR rolbypassrls,
		EXISTS (SELECT FROM pg_class WHERE oid IN (`+present+`) AND pg_has_role(pg_roles.oid, relowner, 'USAGE')) FROM pg_roles WHERE rolname = $1`,
		role, "{"+strings.Join(Tables(), ",")+"}").Scan(&passes, &owns)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("there is no role %q: make it, and grant it what docs/operations.md says", role)
	case err != nil:
		return fmt.Errorf("reading the role: %w", err)
	case passes:
		return fmt.Errorf("the role %q passes row-level security: it is a superuser or has BYPASSRLS", role)
	case owns:
		return fmt.Errorf("the role %q owns the tables, and an owner passes row-level security: give the program a role of its own", role)
	}
	return nil
}

// each runs statements for each table, in a transaction of its own.
func each(ctx context.Context, db *database.DB, wait time.Duration, tables []string, statements func(table string) []string) error {
	for _, table := range tables {
		if err := inTx(ctx, db, append([]string{fmt.Sprintf("SET LOCAL lock_timeout = %d", wait.Milliseconds())}, statements(table)...)); err != nil {
			return fmt.Errorf("row-level security of %s: %w", table, err)
		}
	}
	return nil
}

func inTx(ctx context.Context, db *database.DB, statements []string) error {
	tx, err := db.SQL().BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	for _, s := range statements {
		if _, err := tx.ExecContext(ctx, s); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func drop(policy, table string) string {
	return fmt.Sprintf("DROP POLICY IF EXISTS %s ON %s", policy, quote(table))
}

func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

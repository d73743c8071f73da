package backup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// known are the tables and columns that tell what was taken away.
var known = []struct{ table, columns string }{
	{"workspaces", "id"},
	{"api_keys", "id, scope, expires_at, revoked_at"},
	{"members", "id, role"},
	{"users", "id, password_hash, issuer, subject"},
	{"invitations", "id, accepted_at, revoked_at"},
}

// carried are the statements that take from a restored database what the other one
// knows to be taken away, by the other one's table "then_…".
var carried = []struct{ table, statement string }{
	{"api_keys", `UPDATE api_keys SET revoked_at = t.revoked_at FROM then_api_keys AS t
		WHERE t.id = api_keys.id AND t.revoked_at IS NOT NULL AND api_keys.revoked_at IS NULL`},
	{"api_keys", `UPDATE api_keys SET scope = 'read' FROM then_api_keys AS t
		WHERE t.id = api_keys.id AND t.scope = 'read' AND api_keys.scope <> 'read'`},
	{"api_keys", `UPDATE api_keys SET expires_at = t.expires_at FROM then_api_keys AS t
		WHERE t.id = api_keys.id AND t.expires_at IS NOT NULL AND (api_keys.expires_at IS NULL OR api_keys.expires_at > t.expires_at)`},
	{"members", `DELETE FROM members WHERE NOT EXISTS (SELECT 1 FROM then_members AS t WHERE t.id = members.id)`},
	{"members", `UPDATE members SET role = t.role FROM then_members AS t WHERE t.id = members.id AND t.role <> members.role`},
	{"users", `UPDATE users SET password_hash = t.password_hash, issuer = t.issuer, subject = t.subject FROM then_users AS t
		WHERE t.id = users.id AND (t.password_hash IS DISTINCT FROM users.password_hash
			OR t.issuer IS DISTINCT FROM users.issuer OR t.subject IS DISTINCT FROM users.subject)`},
	{"invitations", `UPDATE invitations SET accepted_at = t.accepted_at, revoked_at = t.revoked_at FROM then_invitations AS t
		WHERE t.id = invitations.id AND (t.accepted_at IS DISTINCT FROM invitations.accepted_at OR t.revoked_at IS DISTINCT FROM invitations.revoked_at)`},
}

// CarryOver takes away from a database that was restored what another one, which went
// on after the backup, knows to be taken away: keys that were revoked, end earlier or
// may only read, members who were removed or have another role, passwords that were
// changed, invitations that were used. It returns from how many rows. Everybody is
// signed out. Both databases may be of either dialect. ErrOtherDatabase if the other
// one is no later state of this one, ErrItself if it is this one.
func CarryOver(ctx context.Context, to, from *database.DB) (rows int64, err error) {
	same, err := isSame(ctx, to, from)
	if err != nil {
		return 0, err
	}
	if same {
		return 0, ErrItself
	}
	rows, err = carryOver(ctx, to.SQL(), &store{from.SQL(), from.Dialect()})
	if errors.Is(err, ErrOtherDatabase) {
		err = fmt.Errorf("%w. Name the database that was in use; where there is none any more, revoke all keys with --revoke-keys", err)
	}
	return rows, err
}

// store is a database to read from.
type store struct {
	*sql.DB
	dialect string
}

// has reports whether a table is there, which one of an earlier release may not have.
func (s store) has(ctx context.Context, table string) (bool, error) {
	query := "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = $1)"
	if s.dialect == dialect.Postgres {
		query = "SELECT to_regclass($1) IS NOT NULL"
	}
	var there bool
	err := s.QueryRowContext(ctx, query, table).Scan(&there)
	return there, err
}

// carryOver does all of it in one transaction. Without another database it only
// signs everybody out.
func carryOver(ctx context.Context, to *sql.DB, from *store) (rows int64, err error) {
	tx, err := to.BeginTx(ctx, nil)
	if err != nil {
		return 0, err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	if from != nil {
		if rows, err = takeAway(ctx, tx, *from); err != nil {
			return 0, err
		}
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM sessions"); err != nil {
		return 0, err
	}
	return rows, tx.Commit()
}

func takeAway(ctx context.Context, tx *sql.Tx, from store) (rows int64, err error) {
	if err := from.knowsLast(ctx, tx); err != nil {
		return 0, err
	}
	there := map[string]bool{}
	for _, k := range known {
		if there[k.table], err = from.has(ctx, k.table); err != nil {
			return 0, err
		}
		if there[k.table] {
			if err := from.copyInto(ctx, tx, k.table, k.columns); err != nil {
				return 0, fmt.Errorf("reading %s: %w", k.table, err)
			}
		}
	}
	if err := knowsAll(ctx, tx, there); err != nil {
		return 0, err
	}
	for _, c := range carried {
		if !there[c.table] {
			continue
		}
		result, err := tx.ExecContext(ctx, c.statement)
		if err != nil {
			return 0, fmt.Errorf("carrying %s over: %w", c.table, err)
		}
		n, err := result.RowsAffected()
		if err != nil {
			return 0, err
		}
		rows += n
	}
	for table := range there {
		if _, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS then_"+table); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// atOnce is how many rows are copied by one statement: memory does not grow with
// the tables.
const atOnce = 500

// copyInto copies columns of a table into the temporary table "then_…".
func (s store) copyInto(ctx context.Context, tx *sql.Tx, table, columns string) error {
	if _, err := tx.ExecContext(ctx, "CREATE TEMPORARY TABLE then_"+table+" AS SELECT "+columns+" FROM "+table+" WHERE 1 = 0"); err != nil {
		return err
	}
	rows, err := s.QueryContext(ctx, "SELECT "+columns+" FROM "+table)
	if err != nil {
		return err
	}
	defer rows.Close()
	width := strings.Count(columns, ",") + 1
	var batch []any
	for rows.Next() {
		row, into := make([]any, width), make([]any, width)
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		for _, value := range row {
			if text, ok := value.([]byte); ok {
				value = string(text)
			}
			batch = append(batch, value)
		}
		if len(batch) == atOnce*width {
			if err := insert(ctx, tx, table, width, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return insert(ctx, tx, table, width, batch)
}

func insert(ctx context.Context, tx *sql.Tx, table string, width int, values []any) error {
	if len(values) == 0 {
		return nil
	}
	query := new(strings.Builder)
	query.WriteString("INSERT INTO then_" + table + " VALUES (")
	for i := range values {
		switch {
		case i == 0:
		case i%width == 0:
			query.WriteString("), (")
		default:
			query.WriteString(", ")
		}
		fmt.Fprintf(query, "$%d", i+1)
	}
	query.WriteString(")")
	_, err := tx.ExecContext(ctx, query.String(), values...)
	return err
}

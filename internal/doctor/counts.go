package doctor

import (
	"context"
	"database/sql"
	"fmt"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	entrest "records/ent/rest"
	"records/migrate/counts"
)

// lockOutOthers keeps out another doctor who mends, and nobody else: two of them at
// once would both add what is missing.
const lockOutOthers = "LOCK TABLE " + counts.Table + " IN SHARE UPDATE EXCLUSIVE MODE"

// countsAreRight holds what is counted of each resource against the records that
// there are, in every workspace. One statement reads both, and so one snapshot.
func countsAreRight(ctx context.Context, tx *sql.Tx, _ string, mend bool) (faults []Fault, err error) {
	for _, r := range entrest.Resources(nil) {
		wrong, err := compare(ctx, tx, r.Spec().Table)
		if err != nil {
			return nil, err
		}
		if mend && len(wrong) > 0 {
			if _, err := tx.ExecContext(ctx, counts.Mend(r.Spec().Table)); err != nil {
				return nil, fmt.Errorf("mending the counts of %s: %w", r.Spec().Plural, err)
			}
		}
		for _, w := range wrong {
			faults = append(faults, Fault{
				Check:  "counts",
				What:   fmt.Sprintf("Workspace %s has %d %s, and lists say %d.", w.workspace, w.present, r.Spec().Plural, w.counted),
				Remedy: "Run `records doctor --repair`. If it comes back, something writes to the database with the triggers off: see \"Counts\" in docs/operations.md.",
				Mended: mend,
			})
		}
	}
	return faults, nil
}

// miscount is what is wrong with one count.
type miscount struct {
	workspace        uuid.UUID
	present, counted int64
}

func compare(ctx context.Context, tx *sql.Tx, table string) (wrong []miscount, err error) {
	rows, err := tx.QueryContext(ctx, counts.Compare(table))
	if err != nil {
		return nil, fmt.Errorf("comparing the counts of %s: %w", table, err)
	}
	defer rows.Close()
	for rows.Next() {
		var m miscount
		if err := rows.Scan(&m.workspace, &m.present, &m.counted); err != nil {
			return nil, err
		}
		wrong = append(wrong, m)
	}
	return wrong, rows.Err()
}

// triggersCount looks whether the triggers are there that count, and are on. It
// cannot mend them: why they are away, the operator must know.
func triggersCount(ctx context.Context, tx *sql.Tx, dialectName string, _ bool) (faults []Fault, err error) {
	query, want := "SELECT count(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = '%s' AND name LIKE '%%\\_count\\_%%' ESCAPE '\\'", 2
	if dialectName == dialect.Postgres {
		query = "SELECT count(*) FROM pg_trigger t JOIN pg_proc p ON p.oid = tgfoid WHERE tgrelid = '%s'::regclass AND proname = '" + counts.Function + "' AND tgenabled IN ('O', 'A')"
		want = 3
	}
	for _, r := range entrest.Resources(nil) {
		var n int
		if err := tx.QueryRowContext(ctx, fmt.Sprintf(query, r.Spec().Table)).Scan(&n); err != nil {
			return nil, err
		}
		if n != want {
			faults = append(faults, Fault{
				Check:  "triggers",
				What:   fmt.Sprintf("Of %d triggers that count %s, %d are there and switched on: lists will say a wrong count.", want, r.Spec().Plural, n),
				Remedy: "Switch them on or make them again: see \"Counts\" in docs/operations.md. Then run `records doctor --repair`.",
			})
		}
	}
	return faults, nil
}

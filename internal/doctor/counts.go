package doctor

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/google/uuid"

	entrest "records/ent/rest"
	"records/migrate/counts"
)

// lockOutOthers keeps out another doctor who mends, and nobody else: two of them at
// once would both add what is missing.
const lockOutOthers = "LOCK TABLE " + counts.Table + " IN SHARE UPDATE EXCLUSIVE MODE"

// countsAreRight holds what is counted of each resource against the records that
// there are, in every workspace. One statement reads both, and so one snapshot.
func countsAreRight(ctx context.Context, c *contents) (faults []Fault, err error) {
	for _, r := range entrest.Resources(nil) {
		if c.unseen[r.Spec().Table] || c.unseen[counts.Table] {
			continue
		}
		wrong, err := compare(ctx, c.tx, r.Spec().Table)
		if err != nil {
			return faults, err
		}
		if c.mend && len(wrong) > 0 {
			if _, err := c.tx.ExecContext(ctx, counts.Mend(r.Spec().Table)); err != nil {
				return faults, fmt.Errorf("mending the counts of %s: %w", r.Spec().Plural, err)
			}
		}
		for _, w := range wrong {
			faults = append(faults, Fault{
				Check:  "counts",
				What:   fmt.Sprintf("Workspace %s has %d %s, and lists say %d.", w.workspace, w.present, r.Spec().Plural, w.counted),
				Why:    "Lists answer a wrong count, and clients that page by it miss records or look for some that are not there.",
				Remedy: "Run `records doctor --repair`. If it comes back, something writes to the database with the triggers off: see \"Counts\" in docs/operations.md.",
				Mended: c.mend,
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
	err = eachRow(ctx, tx, counts.Compare(table), func(row *sql.Rows) error {
		var m miscount
		err := row.Scan(&m.workspace, &m.present, &m.counted)
		wrong = append(wrong, m)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("comparing the counts of %s: %w", table, err)
	}
	return wrong, nil
}

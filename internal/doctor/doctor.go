// Package doctor looks for what is wrong in a database that nobody would notice
// otherwise, and mends what it can.
package doctor

import (
	"context"
	"database/sql"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// Fault is something that is wrong.
type Fault struct {
	Check  string `json:"check"`  // which check found it
	What   string `json:"what"`   // a sentence for an operator
	Remedy string `json:"remedy"` // what to do about it, another one
	Mended bool   `json:"mended"`
}

// checks are all that is looked at, one after the other: another check is another
// line. Each reads for itself, and where it is to mend, it does and says so of the
// fault.
var checks = []func(ctx context.Context, tx *sql.Tx, dialectName string, mend bool) ([]Fault, error){
	triggersCount,
	countsAreRight,
	keysAreTold,
}

// Examine returns what is wrong. With mend it puts right what it can, all of it in
// one transaction. Others may read and write meanwhile; on SQLite, which has one
// writer, writers wait.
func Examine(ctx context.Context, db *database.DB, mend bool) ([]Fault, error) {
	tx, err := db.SQL().BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	if mend && db.Dialect() == dialect.Postgres {
		if _, err := tx.ExecContext(ctx, lockOutOthers); err != nil {
			return nil, err
		}
	}
	faults := []Fault{}
	for _, check := range checks {
		found, err := check(ctx, tx, db.Dialect(), mend)
		if err != nil {
			return nil, err
		}
		faults = append(faults, found...)
	}
	return faults, tx.Commit()
}

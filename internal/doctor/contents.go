package doctor

import (
	"context"
	"database/sql"

	"entgo.io/ent/dialect"

	"records/internal/database"
)

// contents are what is in a database, as the checks of it see them.
type contents struct {
	tx      *sql.Tx
	dialect string
	mend    bool
	gone    bool            // a table is missing: what comes after would fail
	unseen  map[string]bool // tables whose rows cannot be looked at
}

// ofContents are the checks of what is in the database. Each reads for itself, by one
// statement a table; where it is to mend, it does and says so of the fault.
var ofContents = []func(ctx context.Context, c *contents) ([]Fault, error){
	tablesAreThere,
	tablesAreLogged,
	rowsAreSeen,
	requestsMayWrite,
	roleMayMend,
	migrationsCameInOrder,
	historyIsKept,
	rowsAreToldApart,
	indexesAreThere,
	constraintsAreThere,
	triggersAreThere,
	rulesAreOurs,
	countsAreRight,
	keysAreTold,
	referencesHold,
}

// Examine returns what is wrong in the contents of a database. With mend it puts right
// what it can, all of it in one transaction. Others may read and write meanwhile; on
// SQLite, which has one writer, writers wait. What was found before a check failed comes
// with its error, and nothing of it is mended.
func Examine(ctx context.Context, db *database.DB, mend bool) ([]Fault, error) {
	// A standby takes no other transaction. On SQLite one that only reads is no other.
	onlyReads := !mend && db.Dialect() == dialect.Postgres
	tx, err := db.SQL().BeginTx(ctx, &sql.TxOptions{ReadOnly: onlyReads})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback() // after the commit it has nothing to do
	if db.Dialect() == dialect.Postgres {
		if _, err := tx.ExecContext(ctx, unlimited); err != nil {
			return nil, err
		}
	}
	faults := []Fault{}
	c := &contents{tx: tx, dialect: db.Dialect(), mend: mend, unseen: map[string]bool{}}
	for _, check := range ofContents {
		found, err := check(ctx, c)
		faults = append(faults, found...)
		if err != nil {
			return unmended(faults), err
		}
		if c.gone {
			return faults, nil // nothing was mended yet
		}
	}
	if err := tx.Commit(); err != nil {
		return unmended(faults), err
	}
	return faults, nil
}

func unmended(faults []Fault) []Fault {
	for i := range faults {
		faults[i].Mended = false
	}
	return faults
}

// unlimited lets a statement of ours go on for longer than one of a request, and fail
// rather than leave out the rows that a policy hides.
const unlimited = `SELECT set_config('statement_timeout', '0', true), set_config('lock_timeout', '0', true),
	set_config('idle_in_transaction_session_timeout', '0', true), set_config('row_security', 'off', true)`

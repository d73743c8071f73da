package doctor

import "context"

// standby is the name of a check that leaves nothing to mend.
const standby = "standby"

// serverWrites looks whether the server takes writes.
func serverWrites(ctx context.Context, d Deployment) ([]Fault, error) {
	if !d.isPostgres() {
		return nil, nil
	}
	var recovers, readOnly bool
	err := d.DB.SQL().QueryRowContext(ctx, "SELECT pg_is_in_recovery(), current_setting('transaction_read_only')::bool").Scan(&recovers, &readOnly)
	if err != nil {
		return nil, err
	}
	const why = "Every write is answered 503."
	switch {
	case recovers:
		return []Fault{{
			Check: standby, What: "The database server is a standby, or still recovers, and takes no writes.", Why: why,
			Remedy: "Name the primary in database.url, or promote this server.",
		}}, nil
	case readOnly:
		return []Fault{{
			Check: standby, What: "Transactions only read, unless they say otherwise (default_transaction_read_only).", Why: why,
			Remedy: "Switch it off for the server, the database or the role, whichever has it on.",
		}}, nil
	}
	return nil, nil
}

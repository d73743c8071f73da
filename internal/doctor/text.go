package doctor

import (
	"context"
	"fmt"
)

// textIsUTF8 looks whether every text can be kept that a client may send.
func textIsUTF8(ctx context.Context, d Deployment) ([]Fault, error) {
	query, want := "SELECT encoding FROM pragma_encoding", "UTF-8"
	if d.isPostgres() {
		query, want = "SELECT current_setting('server_encoding')", "UTF8"
	}
	var encoding string
	if err := d.DB.SQL().QueryRowContext(ctx, query).Scan(&encoding); err != nil || encoding == want {
		return nil, err
	}
	return []Fault{{
		Check:  "encoding",
		What:   fmt.Sprintf("The database keeps text as %s, not as %s.", encoding, want),
		Why:    "Text that clients may send cannot be kept, or has another length than the limits are meant for.",
		Remedy: "Create a database of that encoding, dump this one, and restore it there: see \"Backups\" in docs/operations.md.",
	}}, nil
}

// collationIsTheSame looks whether the system has changed how it sorts text since the
// database was made. Nothing here asks for an order of text, but indexes have one.
func collationIsTheSame(ctx context.Context, d Deployment) ([]Fault, error) {
	if !d.isPostgres() {
		return nil, nil
	}
	var changed bool
	err := d.DB.SQL().QueryRowContext(ctx, `SELECT coalesce(datcollversion <> pg_database_collation_actual_version(oid), false)
		FROM pg_database WHERE datname = current_database()`).Scan(&changed)
	if err != nil || !changed {
		return nil, err
	}
	return []Fault{{
		Check:  "collation",
		What:   "The system sorts text in another way than when the database was made.",
		Why:    "Indexes on text are in the old order: a key, an email address or a name that is there may not be found, or be kept twice.",
		Remedy: "Run REINDEX DATABASE, then ALTER DATABASE … REFRESH COLLATION VERSION.",
	}}, nil
}

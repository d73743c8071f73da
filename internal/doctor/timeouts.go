package doctor

import (
	"context"
	"fmt"
	"time"
)

// limits are those of a session, and what goes on without them.
var limits = []struct{ setting, without string }{
	{"statement_timeout", "A statement whose process is cut off from the server goes on, and keeps its locks and its connection."},
	{"lock_timeout", "Who waits for a lock waits until the request's time is over, with a connection that others could use."},
	{"idle_in_transaction_session_timeout", "A transaction whose process is cut off from the server stays open, and keeps its locks."},
}

// statementsEnd looks at the limits that a session of the server has. The program asks
// for its own, but the URL may name others, and a pooler may take none.
func statementsEnd(ctx context.Context, d Deployment) (faults []Fault, err error) {
	if !d.isPostgres() {
		return nil, nil
	}
	request := d.Config.Server.RequestTimeout
	for _, l := range limits {
		var ms int64
		if err := d.DB.SQL().QueryRowContext(ctx, "SELECT setting::bigint FROM pg_settings WHERE name = $1", l.setting).Scan(&ms); err != nil {
			return nil, err
		}
		limit := time.Duration(ms) * time.Millisecond
		switch {
		case limit == 0:
			faults = append(faults, Fault{
				Check: "timeouts", What: fmt.Sprintf("Sessions have no %s.", l.setting), Why: l.without,
				Remedy: fmt.Sprintf("Take %s out of database.url; behind PgBouncer give it to the role: see \"Behind PgBouncer\" in docs/operations.md.", l.setting),
			})
		case limit < request && l.setting == "statement_timeout":
			faults = append(faults, Fault{
				Check:  "timeouts",
				What:   fmt.Sprintf("statement_timeout of the sessions is %s, and server.request_timeout %s.", limit, request),
				Why:    "The server ends statements, long ones of large workspaces first, for which their requests still had time.",
				Remedy: "Raise it to two seconds more than server.request_timeout, where database.url, the role or the database sets it.",
			})
		}
	}
	return faults, nil
}

// commitsAreSeen looks whether a session has the isolation that statements are made for.
func commitsAreSeen(ctx context.Context, d Deployment) ([]Fault, error) {
	if !d.isPostgres() {
		return nil, nil
	}
	var level string
	err := d.DB.SQL().QueryRowContext(ctx, "SHOW default_transaction_isolation").Scan(&level)
	if err != nil || level == "read committed" {
		return nil, err
	}
	return []Fault{{
		Check:  "isolation",
		What:   fmt.Sprintf("Transactions of the sessions are %s.", level),
		Why:    "Requests that change the same records at the same time fail because of one another, and are answered 503.",
		Remedy: "Take default_transaction_isolation out of database.url; behind PgBouncer give the role read committed: see \"Behind PgBouncer\" in docs/operations.md.",
	}}, nil
}

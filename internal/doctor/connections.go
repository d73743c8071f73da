package doctor

import (
	"context"
	"fmt"

	"records/internal/database"
)

// room is what the server has for connections. A limit of -1 is none.
type room struct{ ofServer, inUse, ofRole, ofDatabase int }

// connectionsSuffice holds the pool of one process against what the server lets in.
// How many processes there are, nobody here knows; those that run are in use.
func connectionsSuffice(ctx context.Context, d Deployment) ([]Fault, error) {
	if !d.isPostgres() {
		return nil, nil
	}
	var r room
	err := d.DB.SQL().QueryRowContext(ctx, `SELECT
		current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int - coalesce(current_setting('reserved_connections', true)::int, 0),
		(SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
		(SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user),
		(SELECT datconnlimit FROM pg_database WHERE datname = current_database())`).
		Scan(&r.ofServer, &r.inUse, &r.ofRole, &r.ofDatabase)
	if err != nil {
		return nil, err
	}
	r.inUse -= d.DB.SQL().Stats().OpenConnections // our own end with us
	want := d.Config.Database.MaxConnections
	if want == 0 {
		want = database.DefaultPostgresConns
	}
	return r.judge(want), nil
}

func (r room) judge(want int) (faults []Fault) {
	for _, limit := range []struct {
		n   int
		of  string
		how string
	}{
		{r.ofServer, "the server lets in", "Raise max_connections of the server"},
		{r.ofRole, "the role may have", "ALTER ROLE … CONNECTION LIMIT"},
		{r.ofDatabase, "the database may have", "ALTER DATABASE … CONNECTION LIMIT"},
	} {
		if limit.n >= 0 && want > limit.n {
			faults = append(faults, Fault{
				Check:  "connections",
				What:   fmt.Sprintf("database.max_connections is %d, and %s %d.", want, limit.of, limit.n),
				Why:    "Under load requests are answered 503, for the server refuses the connections that they wait for.",
				Remedy: limit.how + ", or lower database.max_connections.",
			})
		}
	}
	if len(faults) == 0 && r.inUse+want > r.ofServer {
		faults = append(faults, Fault{
			Check:  "connections",
			What:   fmt.Sprintf("Of %d connections to the server %d are in use, and one more process opens up to %d.", r.ofServer, r.inUse, want),
			Why:    "There is no room for one more replica, as while replicas are replaced.",
			Remedy: "Raise max_connections of the server, lower database.max_connections, or put a PgBouncer between.",
		})
	}
	return faults
}

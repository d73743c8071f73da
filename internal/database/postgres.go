package database

import (
	"database/sql"
	"fmt"
	"maps"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
)

const (
	// A connection is replaced after half an hour, so that a moved address or a
	// grown backend is left behind, and closed after five idle minutes.
	connMaxLifetime = 30 * time.Minute
	connMaxIdleTime = 5 * time.Minute
	// apartConns: one holds the lock, one migrates, one builds an index outside of its
	// transaction, one looks at what they wait for.
	apartConns = 4
)

// postgresDefaults are the parameters set where the URL names none.
// binary_parameters makes a statement one round trip instead of two, and lets it
// pass a pooler that shares sessions between transactions.
var postgresDefaults = map[string]string{
	"connect_timeout":           "5", // seconds
	"fallback_application_name": "records",
	"binary_parameters":         "yes",
}

// openPostgres makes a pool of connections, none of which is opened yet.
func openPostgres(rawURL string, opts Options) (*DB, error) {
	hosts, err := postgresHosts(rawURL)
	if err != nil {
		return nil, err
	}
	conns := opts.MaxConns
	if conns <= 0 {
		conns = DefaultPostgresConns
	}
	pool := sql.OpenDB(newConnector(hosts, postgresSession(opts), opts))
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns) // fewer idle ones than open ones means reconnecting under load
	pool.SetConnMaxLifetime(connMaxLifetime)
	pool.SetConnMaxIdleTime(connMaxIdleTime)
	return &DB{
		dialect:  dialect.Postgres,
		driver:   &onceDriver{entsql.OpenDB(dialect.Postgres, pool)},
		writer:   pool,
		reader:   pool,
		confined: len(opts.Confined) > 0,
		apart: func(time.Duration) (*sql.DB, error) {
			pool := sql.OpenDB(newConnector(hosts, nil, Options{}))
			pool.SetMaxOpenConns(apartConns)
			return pool, nil
		},
	}, nil
}

// postgresHosts reads rawURL and adds what the program needs: the defaults above,
// and sessions in UTC. It returns what to connect to each host with. Its errors never
// hold the password.
func postgresHosts(rawURL string) ([]pq.Config, error) {
	u, err := ParseURL(rawURL)
	if err != nil {
		return nil, err
	}
	params := u.Query()
	for name, value := range postgresDefaults {
		if params.Get(name) == "" {
			params.Set(name, value)
		}
	}
	u.RawQuery = params.Encode()
	config, err := pq.NewConfig(u.String())
	if err != nil {
		return nil, fmt.Errorf("the database URL is not valid: %s", strings.TrimPrefix(err.Error(), "pq: "))
	}
	for name := range config.Runtime {
		if strings.EqualFold(name, "timezone") {
			delete(config.Runtime, name)
		}
	}
	config.Runtime["timezone"] = "UTC"
	return eachHost(config)
}

// byIndex are the parameters of a session whose prepared statements are planned once,
// and by an index. PostgreSQL believes that it could do better and does not: a list in a
// database of large and small workspaces it plans anew each time, which takes longer
// than to read it; and what it has planned while a table was small, it goes on doing
// when the table has grown, until the table is analyzed.
var byIndex = map[string]string{
	"plan_cache_mode":   "force_generic_plan",
	"enable_seqscan":    "off", // unless there is no other way, which must not be compiled then
	"enable_bitmapscan": "off",
	"jit":               "off",
}

// postgresSession are the parameters of a session. Its isolation is the one that the
// statements are made for, whatever that of the role is: above it they would fail because
// of one another. By its limits the server itself ends a statement and a transaction, even
// if this process is cut off and cannot say so.
func postgresSession(opts Options) map[string]string {
	session := map[string]string{"default_transaction_isolation": "read committed"}
	if opts.ByIndex && opts.StatementCache > 0 {
		maps.Copy(session, byIndex)
	}
	for name, limit := range map[string]time.Duration{
		"statement_timeout":                   opts.StatementTimeout,
		"idle_in_transaction_session_timeout": opts.StatementTimeout,
		"lock_timeout":                        opts.LockTimeout,
	} {
		if limit > 0 {
			session[name] = fmt.Sprint(limit.Milliseconds())
		}
	}
	return session
}

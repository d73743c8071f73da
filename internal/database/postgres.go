package database

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
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
	config, err := postgresConfig(rawURL)
	if err != nil {
		return nil, err
	}
	conns := opts.MaxConns
	if conns <= 0 {
		conns = DefaultPostgresConns
	}
	pool := sql.OpenDB(&connector{config: config, limits: postgresLimits(opts), statements: opts.StatementCache, confined: opts.Confined})
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns) // fewer idle ones than open ones means reconnecting under load
	pool.SetConnMaxLifetime(connMaxLifetime)
	pool.SetConnMaxIdleTime(connMaxIdleTime)
	return &DB{
		dialect: dialect.Postgres,
		driver:  &onceDriver{entsql.OpenDB(dialect.Postgres, pool)},
		writer:  pool,
		reader:  pool,
		apart: func(time.Duration) (*sql.DB, error) {
			pool := sql.OpenDB(&connector{config: config})
			pool.SetMaxOpenConns(apartConns)
			return pool, nil
		},
	}, nil
}

// postgresConfig reads rawURL and adds what the program needs: the defaults
// above, and sessions in UTC. Its errors never hold the password.
func postgresConfig(rawURL string) (pq.Config, error) {
	malformed := errors.New("the database URL is not well formed: expected " +
		"postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=…, special characters percent-encoded")
	u, err := url.Parse(rawURL)
	if err != nil || strings.Contains(rawURL, "#") {
		return pq.Config{}, malformed // what net/url says may quote the password
	}
	params, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return pq.Config{}, malformed
	}
	for name, value := range postgresDefaults {
		if params.Get(name) == "" {
			params.Set(name, value)
		}
	}
	u.RawQuery = params.Encode()
	config, err := pq.NewConfig(u.String())
	if err != nil {
		return pq.Config{}, fmt.Errorf("the database URL is not valid: %s", strings.TrimPrefix(err.Error(), "pq: "))
	}
	for name := range config.Runtime {
		if strings.EqualFold(name, "timezone") {
			delete(config.Runtime, name)
		}
	}
	config.Runtime["timezone"] = "UTC"
	return config, nil
}

// postgresLimits are the limits that the server itself keeps of a session. A statement
// and a transaction end by them even if this process is cut off and cannot say so.
func postgresLimits(opts Options) map[string]string {
	limits := map[string]string{}
	for name, limit := range map[string]time.Duration{
		"statement_timeout":                   opts.StatementTimeout,
		"idle_in_transaction_session_timeout": opts.StatementTimeout,
		"lock_timeout":                        opts.LockTimeout,
	} {
		if limit > 0 {
			limits[name] = fmt.Sprint(limit.Milliseconds())
		}
	}
	return limits
}

// connector makes connections for database/sql.
type connector struct {
	config     pq.Config
	limits     map[string]string // of a session, where the URL names no others
	refused    atomic.Bool       // a pooler does not take the limits
	statements int               // the most that a connection keeps prepared
	confined   []string          // the tables of row-level security
}

// Connect opens a connection within ctx and the URL's connect_timeout. A pooler that
// shares sessions knows only some parameters, and refuses a client that names others:
// it gets none of the limits, which are then the database role's.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	if len(c.limits) > 0 && !c.refused.Load() {
		config := c.config
		config.Runtime = maps.Clone(c.limits)
		maps.Copy(config.Runtime, c.config.Runtime)
		conn, err := c.connect(ctx, config)
		if e := pq.As(err, pqerror.ProtocolViolation); e == nil || !strings.Contains(e.Message, "startup parameter") {
			return conn, err
		}
		c.refused.Store(true)
	}
	return c.connect(ctx, c.config)
}

func (c *connector) connect(ctx context.Context, config pq.Config) (driver.Conn, error) {
	inner, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, err
	}
	dial := &dialer{}
	inner.Dialer(dial)
	stop := context.AfterFunc(ctx, dial.expire)
	conn, err := inner.Connect(ctx)
	stop()
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnreachable, err)
	}
	uniqueNames(conn)
	made := &connection{pqConn: conn.(pqConn), socket: dial.connected(), prepared: newPrepared(c.statements)}
	if len(c.confined) == 0 {
		return made, nil
	}
	if err := made.confineTo(ctx, c.confined); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", errUnreachable, err), conn.Close())
	}
	return made, nil
}

// Driver is asked for by database/sql, and not used.
func (c *connector) Driver() driver.Driver { return pq.Driver{} }

package database

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"net"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// searchTimeout bounds a look at several hosts where the URL's connect_timeout is 0,
// which means no bound for a single one.
const searchTimeout = 5 * time.Second

// connector makes connections for database/sql.
type connector struct {
	hosts   []*host
	primary *primary // nil: one host is as good as another
	first   atomic.Int64
}

// host is one server of the URL.
type host struct {
	config     pq.Config
	session    map[string]string // its parameters, where the URL names no others
	refused    atomic.Bool       // a pooler does not take them
	statements int               // the most that a connection keeps prepared
	confined   []string          // the tables of row-level security
	counted    []string          // see Options.Counted
}

func newConnector(configs []pq.Config, session map[string]string, opts Options) *connector {
	c := &connector{}
	for _, config := range configs {
		c.hosts = append(c.hosts, &host{config: config, session: session, statements: opts.StatementCache, confined: opts.Confined, counted: opts.Counted})
	}
	if len(configs) > 1 && configs[0].TargetSessionAttrs != pq.TargetSessionAttrsAny {
		c.primary = newPrimary(c, opts.OnPrimary)
	}
	return c
}

// Connect opens a connection within ctx and the URL's connect_timeout. Of several
// hosts each has an equal share of that time, and they are tried in order, the one
// that answered last before the others.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	if len(c.hosts) == 1 {
		return c.hosts[0].reach(ctx, 0)
	}
	began := c.primary.now()
	share := c.share(ctx)
	var errs error
	for i, first := 0, int(c.first.Load()); i < len(c.hosts); i++ {
		at := (first + i) % len(c.hosts)
		conn, err := c.hosts[at].reach(ctx, share)
		if err == nil {
			err = c.primary.join(ctx, share, conn, at, began)
		}
		if err == nil {
			c.first.Store(int64(at))
			return conn, nil
		}
		errs = joined(errs, fmt.Errorf("%s: %w", address(c.hosts[at].config), err))
		if i == 0 && silent(err) {
			c.first.CompareAndSwap(int64(at), int64((at+1)%len(c.hosts)))
		}
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errs
}

// share is the time that each host has.
func (c *connector) share(ctx context.Context) time.Duration {
	all := c.hosts[0].config.ConnectTimeout
	if all <= 0 {
		all = searchTimeout
	}
	if deadline, ok := ctx.Deadline(); ok {
		all = min(all, time.Until(deadline))
	}
	return max(all/time.Duration(len(c.hosts)), time.Millisecond)
}

// reach connects to a host, within share if that is above 0. A pooler that shares
// sessions knows only some parameters, and refuses a client that names others: it gets
// none of ours, which are then the database role's.
func (h *host) reach(ctx context.Context, share time.Duration) (*connection, error) {
	config := h.config
	if share > 0 {
		config.ConnectTimeout = share
	}
	if len(h.session) > 0 && !h.refused.Load() {
		full := config
		full.Runtime = maps.Clone(h.session)
		maps.Copy(full.Runtime, config.Runtime)
		conn, err := h.open(ctx, full)
		if e := pq.As(err, pqerror.ProtocolViolation); e == nil || !strings.Contains(e.Message, "startup parameter") {
			return conn, err
		}
		h.refused.Store(true)
	}
	return h.open(ctx, config)
}

func (h *host) open(ctx context.Context, config pq.Config) (*connection, error) {
	inner, err := pq.NewConnectorConfig(config)
	if err != nil {
		return nil, err
	}
	dial := &dialer{}
	inner.Dialer(dial)
	if config.ConnectTimeout > 0 {
		// lib/pq does not bound what it asks a pooler that does not say by itself
		// whether the server takes writes.
		defer time.AfterFunc(config.ConnectTimeout+grace, dial.expire).Stop()
	}
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
	made := &connection{pqConn: conn.(pqConn), socket: dial.connected(), prepared: newPrepared(h.statements), counted: h.counted}
	pq.SetNoticeHandler(conn, made.notice)
	err = made.enforced(ctx)
	if err == nil && len(h.confined) > 0 {
		err = made.confineTo(ctx, h.confined)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", errUnreachable, err), conn.Close())
	}
	return made, nil
}

// Driver is asked for by database/sql, and not used.
func (c *connector) Driver() driver.Driver { return pq.Driver{} }

// silent reports whether a host did not answer at all.
func silent(err error) bool {
	_, network := errors.AsType[net.Error](err)
	return network || errors.Is(err, context.DeadlineExceeded)
}

// joined is both errors, in one line.
func joined(err, further error) error {
	if err == nil {
		return further
	}
	return fmt.Errorf("%w; %w", err, further)
}

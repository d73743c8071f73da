package database

import (
	"context"
	"database/sql/driver"
	"math/rand/v2"
	"reflect"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/lib/pq"
	"github.com/lib/pq/pqerror"
)

// DefaultStatementCache is how many prepared statements a connection keeps where
// nothing else is said. The program has about ten texts for each resource that it
// uses all the time, and clients make more, for an INSERT or UPDATE names the
// fields of its body. A plan takes some 20 KiB of the server's memory.
const DefaultStatementCache = 100

// prepared are the statements that a connection has prepared on its session, by
// their text. One is prepared at its second use: preparing costs a round trip of
// its own, which a text that never comes back would not repay.
type prepared struct {
	most int // how many are kept
	kept *simplelru.LRU[string, *statement]
	seen map[string]struct{} // texts that were used once, of late
}

// newPrepared returns nil for most = 0: nothing is prepared.
func newPrepared(most int) *prepared {
	if most <= 0 {
		return nil
	}
	return &prepared{most: most, kept: newLRU[*statement](most), seen: map[string]struct{}{}}
}

// newLRU returns a cache that knows which text was not used for longest.
func newLRU[V any](most int) *simplelru.LRU[string, V] {
	cache, err := simplelru.NewLRU[string, V](most, nil)
	if err != nil { // a size below 1
		panic(err)
	}
	return cache
}

// statement returns the prepared statement of a query, nil if it is to be sent as
// it is. Beside that it makes at most one round trip: it prepares the query, or
// makes room for it.
func (c *connection) statement(ctx context.Context, query string, args []driver.NamedValue) (*statement, error) {
	p := c.prepared
	if p == nil || len(args) == 0 {
		return nil, nil
	}
	if stmt, ok := p.kept.Get(query); ok {
		return stmt, nil
	}
	if kindOf(query) == other {
		return nil, nil
	}
	if _, again := p.seen[query]; !again {
		if len(p.seen) >= p.most {
			clear(p.seen)
		}
		p.seen[query] = struct{}{}
		return nil, nil
	}
	if p.kept.Len() >= p.most {
		oldest, _, _ := p.kept.GetOldest()
		return nil, c.forget(ctx, oldest)
	}
	made, err := c.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	stmt := made.(*statement) // only COPY has another type
	delete(p.seen, query)
	p.kept.Add(query, stmt)
	return stmt, nil
}

// forget gives a prepared statement back to the server.
func (c *connection) forget(ctx context.Context, query string) error {
	stmt, _ := c.prepared.kept.Peek(query)
	c.prepared.kept.Remove(query)
	return stmt.close(ctx)
}

// outdated reports whether a prepared statement failed for what may lie in its
// having been prepared, before the schema changed or on another session. It is
// then forgotten, and outside of a transaction the query may be sent as it is: the
// server has refused it, so nothing was done.
func (c *connection) outdated(ctx context.Context, query string, err error) bool {
	e := pq.As(err)
	if e == nil || c.broken {
		return false
	}
	switch {
	case e.Code == pqerror.InvalidSQLStatementName:
		// Somebody else has this session, too, or has it now: a pooler.
		c.prepared = nil
	case e.Code == pqerror.FeatureNotSupported, e.Code.Class() == pqerror.ClassSyntaxErrorOrAccessRuleViolation:
		if c.forget(ctx, query) != nil {
			return false
		}
	default:
		return false
	}
	return !c.inTx
}

// uniqueNames makes lib/pq name its prepared statements as no other session does.
// It would count from one in each: behind a pooler that shares sessions, where
// nothing should be prepared, the statement "1" of one client is run for the
// statement "1" of another. With names of our own the server knows none, says so,
// and the query is sent as it is (see outdated).
func uniqueNames(conn driver.Conn) {
	count := reflect.ValueOf(conn).Elem().FieldByName("namei")
	reflect.NewAt(count.Type(), count.Addr().UnsafePointer()).Elem().SetInt(rand.Int64N(1 << 62)) //nolint:gosec // a name that is unlike others, and no secret
}

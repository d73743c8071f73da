package apikey

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/viewer"
)

// counter is a driver that counts what goes through it, and can be slow.
type counter struct {
	dialect.Driver
	reads, refreshes, writes atomic.Int64
	delay                    time.Duration // of a read
	unreadable               atomic.Bool   // the generation
	hold                     chan struct{} // what reads of keys wait for, if set
	held                     atomic.Int64  // that wait
}

func (c *counter) Query(ctx context.Context, query string, args, v any) error {
	if strings.Contains(query, "key_generations") {
		c.refreshes.Add(1)
		if c.unreadable.Load() {
			return errors.New("the generation cannot be read")
		}
	} else {
		c.reads.Add(1)
		if c.hold != nil {
			c.held.Add(1)
			<-c.hold
		}
	}
	time.Sleep(c.delay)
	return c.Driver.Query(ctx, query, args, v)
}

func (c *counter) Exec(ctx context.Context, query string, args, v any) error {
	c.writes.Add(1)
	return c.Driver.Exec(ctx, query, args, v)
}

func (c *counter) Tx(ctx context.Context) (dialect.Tx, error) {
	c.writes.Add(1)
	return c.Driver.Tx(ctx)
}

// fixture is a workspace with one key, and an authenticator whose statements
// are counted.
type fixture struct {
	*counter
	client    *ent.Client // beside the authenticator, as a command would be
	auth      *Authenticator
	workspace uuid.UUID
	key       *ent.APIKey
	token     string
}

func setUp(t *testing.T, db *database.DB) *fixture {
	t.Helper()
	f := &fixture{counter: &counter{Driver: db.Driver()}, client: ent.NewClient(ent.Driver(db.Driver()))}
	f.auth = NewAuthenticator(ent.NewClient(ent.Driver(f.counter)))
	f.workspace = f.newWorkspace(t, "first")
	f.key, f.token = f.create(t, Request{Workspace: f.workspace, Name: "test", Scope: viewer.Write})
	return f
}

func (f *fixture) newWorkspace(t *testing.T, name string) uuid.UUID {
	t.Helper()
	w, err := f.client.Workspace.Create().SetName(name).Save(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return w.ID
}

func (f *fixture) create(t *testing.T, r Request) (*ent.APIKey, string) {
	t.Helper()
	key, token, err := Create(rule.AsOperator(t.Context()), f.client, r)
	if err != nil {
		t.Fatal(err)
	}
	return key, token
}

// read is the key as it stands in the database.
func (f *fixture) read(t *testing.T) *ent.APIKey {
	t.Helper()
	key, err := f.client.APIKey.Get(rule.AsOperator(t.Context()), f.key.ID)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// accepted authenticates the key, which must be good.
func (f *fixture) accepted(t *testing.T) viewer.Viewer {
	t.Helper()
	v, err := f.auth.Authenticate(t.Context(), f.token)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func (f *fixture) refused(t *testing.T, token string) {
	t.Helper()
	if v, err := f.auth.Authenticate(t.Context(), token); !errors.Is(err, ErrRefused) || v != (viewer.Viewer{}) {
		t.Errorf("%v, %v; want it refused", v, err)
	}
}

// each runs f with a fixture on both databases.
func each(t *testing.T, f func(t *testing.T, fx *fixture)) {
	t.Helper()
	t.Parallel()
	dbtest.Each(t, func(t *testing.T, db *database.DB) { f(t, setUp(t, db)) })
}

package replicas

import (
	"testing"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/ent"
	"records/ent/rule"
	_ "records/ent/runtime" // the schemas' policies, hooks and defaults
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/dbtest"
	"records/internal/viewer"
)

// fleet is a database and what its replicas are started with.
type fleet struct {
	url      string // of the database
	db       *database.DB
	client   *ent.Client
	settings []string
}

// newFleet has a database of its own, no ceilings, and trusts the proxy alone.
func newFleet(t *testing.T, url string, settings ...string) *fleet {
	t.Helper()
	db := dbtest.OpenURL(t, url)
	return &fleet{url: url, db: db, client: ent.NewClient(ent.Driver(db.Driver())), settings: append([]string{
		"RATELIMIT_PER_KEY", "0", "RATELIMIT_PER_IP", "0", "SERVER_TRUSTED_PROXIES", "127.0.0.1", "SERVER_DRAIN_DELAY", "10ms",
	}, settings...)}
}

func migrated(t *testing.T) string { return dbtest.URL(t, dialect.Postgres) }

// serve starts a replica of a program, at an address of its own for "", with further
// settings.
func (f *fleet) serve(t *testing.T, program, address string, settings ...string) *replica {
	t.Helper()
	if address == "" {
		address = freeAddress(t)
	}
	all := append([]string{"DATABASE_URL", f.url}, f.settings...)
	return serve(t, program, address, append(all, settings...)...)
}

// workspace makes one of a name that no other has.
func (f *fleet) workspace(t *testing.T) uuid.UUID {
	t.Helper()
	w, err := f.client.Workspace.Create().SetName(uuid.NewString()).Save(rule.AsOperator(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
	return w.ID
}

// key mints one of a workspace.
func (f *fleet) key(t *testing.T, workspace uuid.UUID, scope viewer.Scope) (id uuid.UUID, token string) {
	t.Helper()
	key, token, err := apikey.Create(rule.AsOperator(t.Context()), f.client, apikey.Request{Workspace: workspace, Name: "test", Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	return key.ID, token
}

// writer is a key with scope write of a workspace of its own.
func (f *fleet) writer(t *testing.T) (token string) {
	t.Helper()
	_, token = f.key(t, f.workspace(t), viewer.Write)
	return token
}

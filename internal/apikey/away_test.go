package apikey

import (
	"context"
	"errors"
	"testing"
	"time"

	"entgo.io/ent/dialect"

	"records/ent"
	"records/internal/database"
	"records/internal/dbtest"
)

// behindProxy is a fixture whose authenticator reaches PostgreSQL through a
// proxy.
func behindProxy(t *testing.T) (*fixture, *dbtest.Proxy) {
	t.Helper()
	url := dbtest.URL(t, dialect.Postgres)
	f := setUp(t, dbtest.OpenURL(t, url))
	proxy := dbtest.NewProxy(t, url)
	db := dbtest.OpenURL(t, proxy.URL())
	f.counter = &counter{Driver: db.Driver()}
	f.auth = NewAuthenticator(ent.NewClient(ent.Driver(f.counter)))
	return f, proxy
}

// unavailable authenticates the key, which must be answered neither way.
func (f *fixture) unavailable(t *testing.T, ctx context.Context) {
	t.Helper()
	_, err := f.auth.Authenticate(ctx, f.token)
	if !database.IsUnavailable(err) || errors.Is(err, ErrRefused) {
		t.Errorf("with the database away: %v", err)
	}
}

func TestDatabaseAway(t *testing.T) {
	t.Parallel()
	f, proxy := behindProxy(t)
	f.accepted(t)
	proxy.Refuse()
	time.Sleep(life)
	f.unavailable(t, t.Context())
	proxy.Restore()
	f.accepted(t) // a failed look-up is not kept
}

func TestDatabaseSilent(t *testing.T) {
	t.Parallel()
	f, proxy := behindProxy(t)
	f.accepted(t)
	proxy.Freeze()
	time.Sleep(life)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	f.unavailable(t, ctx) // it gives up with its own request
	f.unavailable(t, t.Context())
	if waited := time.Since(start); waited > refreshTimeout+lookupTimeout+2*time.Second {
		t.Errorf("it took %s", waited)
	}
	proxy.Restore()
	f.accepted(t)
}

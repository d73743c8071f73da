// Package developer is the developer area: where people sign in, make keys for
// their workspaces and see what the keys do. Pages are rendered here and work
// without JavaScript. There is one small file per page action; routes.go is the
// table of them all.
//
// Who may do what is not decided here, but by the policies of the schemas
// (ent/rule/person.go) on everything that the pages read or write.
package developer

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/internal/account"
	"records/internal/identity"
	"records/internal/overload"
)

// Options are what the area needs.
type Options struct {
	Client   *ent.Client
	Log      *slog.Logger
	API      string             // the path of the API, its version marker included
	URL      string             // the address at which people reach it, without a path
	Identity *identity.Provider // nil: people sign in with passwords alone
	Timeout  time.Duration      // how long one request may use the database

	// Places is how many pages may be at work at the database at once, so that they
	// leave room to the API, 3 or more: one address has all but one of them, or less.
	// Wait is how long the next page waits for a place.
	Places int
	Wait   time.Duration

	// Address is where a request comes from: for people, and by what the caller's
	// attempts are counted.
	Address func(r *http.Request) (shown, counted string)
	// Attempt counts an attempt of a kind ("address", "account", "provider", "page") by an id.
	// It is not ok when it is one too many, for as long as wait.
	Attempt func(ctx context.Context, kind, id string) (wait time.Duration, ok bool)
	// Forgive takes an attempt back that succeeded.
	Forgive func(ctx context.Context, kind, id string)

	// Where a key stands in its current minute, and the address of a request.
	KeyStanding     func(ctx context.Context, key uuid.UUID) Standing
	AddressStanding func(r *http.Request) Standing
}

// Standing is where a caller stands on one of the two ceilings. The limit is 0 where
// there is no such ceiling.
type Standing struct {
	Used, Limit int64
	Reset       time.Duration // until the minute ends
}

const (
	leastPlaces = 3   // of which one address leaves one to others
	mostWaiting = 200 // pages that wait for a place
)

// overTLS reports whether people reach the area over TLS.
func (o Options) overTLS() bool { return strings.HasPrefix(o.URL, "https:") }

// Area serves the pages.
type Area struct {
	Options
	sessions account.Sessions
	origins  *http.CrossOriginProtection
	places   *overload.Gate
	pages    pages
	assets   assets
}

// New returns the area. It needs no database yet.
func New(o Options) (*Area, error) {
	assets := readAssets()
	pages, err := readPages(assets)
	if err != nil {
		return nil, fmt.Errorf("the developer area's pages: %w", err)
	}
	origins := http.NewCrossOriginProtection()
	if err := origins.AddTrustedOrigin(o.URL); err != nil { // behind a proxy that changes Host
		return nil, fmt.Errorf("developer.url: %w", err)
	}
	return &Area{
		Options:  o,
		sessions: account.NewSessions(o.Client, o.overTLS()),
		places:   overload.New(overload.Limits{Places: max(leastPlaces, o.Places), Waiting: mostWaiting, Patience: o.Wait}),
		origins:  origins,
		pages:    pages,
		assets:   assets,
	}, nil
}

// Stats returns how the places for pages stand.
func (a *Area) Stats() overload.Stats { return a.places.Stats() }

// Run does what goes on beside requests, until the context ends.
func (a *Area) Run(ctx context.Context) {
	a.sessions.Sweep(ctx, func(err error) { a.Log.Warn("removing sessions that are over", "error", err.Error()) })
}

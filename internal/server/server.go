// Package server is the way in: every route and every middleware in order, who
// may pass (keys, ceilings), health, and how the program starts and stops
// serving.
package server

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"records/ent"
	"records/internal/apikey"
	"records/internal/database"
	"records/internal/developer"
	"records/internal/identity"
	"records/internal/overload"
	"records/internal/traffic"
)

// Options are what a server needs. Every field is required unless it says
// otherwise.
type Options struct {
	Client *ent.Client
	DB     *database.DB
	Log    *slog.Logger

	PerKey       int    // requests a minute for one key; 0 is no ceiling
	PerIP        int    // requests a minute for one address; 0 is no ceiling
	CeilingStore string // "memory" or a redis URL

	TrustedProxies []netip.Prefix // optional
	RequestTimeout time.Duration  // how long one request may use the database
	DrainDelay     time.Duration  // between failing readiness and closing the listener

	MaxConnections int           // of clients; 0 is no bound
	MaxWaiting     int           // requests that wait for their turn at the database
	MaxWait        time.Duration // for how long each
	MaxAnswers     int           // bytes of large answers that wait for their readers; 0 is 256 MiB

	Observe      func(Answer)       // optional: is told of every request that was answered
	Trace        Tracer             // optional
	DeveloperURL string             // the address at which people reach the developer area, such as https://records.example.com
	Identity     *identity.Provider // optional: people may sign in with it

	bounds bounds // of a connection; none are the default ones
}

// Server serves the API and the developer area.
type Server struct {
	Options
	auth      *apikey.Authenticator
	ceilings  *ceilings
	gates     gates
	answers   *overload.Budget
	outage    outage
	developer *developer.Area
	counted   counted
	traffic   *traffic.Recorder

	connections *connections
	draining    atomic.Bool
	readiness   singleflight.Group
	handler     http.Handler
}

// New returns a server. It needs neither the database nor Redis to be up.
func New(o Options) (*Server, error) {
	if o.bounds == (bounds{}) {
		o.bounds = defaultBounds
	}
	ceilings, err := newCeilings(o.PerKey, o.PerIP, o.CeilingStore, o.Log)
	if err != nil {
		return nil, err
	}
	s := &Server{Options: o, auth: apikey.NewAuthenticator(o.Client), ceilings: ceilings, gates: newGates(o), answers: newAnswers(o), traffic: traffic.NewRecorder(o.Client)}
	s.developer, err = developer.New(developer.Options{
		Client: o.Client, Log: o.Log, API: Base, URL: o.DeveloperURL, Identity: o.Identity, Timeout: o.RequestTimeout,
		Places: places(o.DB.Conns()) / 4, Wait: o.MaxWait,
		Address: func(r *http.Request) (string, string) {
			ip := clientIP(r, o.TrustedProxies)
			return address(ip), ceilingKey(ip)
		},
		Attempt: ceilings.attempt, Forgive: ceilings.forgive,
		KeyStanding: s.keyStanding, AddressStanding: s.addressStanding,
	})
	if err != nil {
		return nil, errors.Join(err, ceilings.close())
	}
	s.connections = newConnections(o.MaxConnections, shareOfAddress(o.MaxConnections), o.TrustedProxies)
	s.handler, err = s.wrap(s.routes())
	return s, err
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close releases what New opened.
func (s *Server) Close() error { return s.ceilings.close() }

// Run does what goes on beside requests, until the context ends.
func (s *Server) Run(ctx context.Context) {
	warn := func(what string) func(error) {
		return func(err error) { s.Log.Warn(what, "error", err.Error()) }
	}
	var all sync.WaitGroup
	all.Go(func() { s.auth.Run(ctx, warn("writing when keys were last used")) })
	all.Go(func() { s.traffic.Run(ctx, warn("writing the traffic of keys")) })
	all.Go(func() { s.developer.Run(ctx) })
	all.Wait()
}

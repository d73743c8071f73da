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
	"html/template"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"

	"records/ent"
	"records/internal/account"
)

// Options are what the area needs.
type Options struct {
	Client *ent.Client
	Log    *slog.Logger

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

// Area serves the pages.
type Area struct {
	Options
	sessions account.Sessions
	origins  *http.CrossOriginProtection
	pages    map[string]*template.Template
	assets   assets
}

// New returns the area. It needs no database yet.
func New(o Options) (*Area, error) {
	pages, err := parsePages()
	if err != nil {
		return nil, fmt.Errorf("the developer area's pages: %w", err)
	}
	return &Area{
		Options:  o,
		sessions: account.NewSessions(o.Client),
		origins:  http.NewCrossOriginProtection(),
		pages:    pages,
		assets:   readAssets(),
	}, nil
}

// Package developer is the developer area: where people sign in, make keys for
// their workspaces and see what the keys do. Pages are rendered here and work
// without JavaScript. There is one small file per page action; routes.go is the
// table of them all.
//
// Who may do what is not decided here, but by the policies of the schemas
// (ent/rule/person.go) on everything that the pages read or write.
package developer

import (
	"fmt"
	"html/template"
	"log/slog"
	"net/http"

	"records/ent"
	"records/internal/account"
)

// Options are what the area needs.
type Options struct {
	Client *ent.Client
	Log    *slog.Logger
	API    string // the path of the API, its version marker included
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

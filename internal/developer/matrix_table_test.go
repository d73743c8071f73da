package developer_test

import (
	"net/http"
	"net/url"

	"github.com/google/uuid"
)

// least is the least that somebody must be for a page or an action to be theirs.
type least int

const (
	anyone   least = iota
	signedIn       // a member of another workspace
	looker         // a viewer, or more
	maker          // a developer, or more
	owner
)

// entry says whom a route is for, and what they are answered.
type entry struct {
	least  least
	status int
	form   func() url.Values // of a POST; nil: none
}

const (
	inside = "/workspaces/:workspace"
	oneKey = inside + "/keys/:key"
)

// matrix is who may do what. A HEAD is as its GET.
var matrix = map[string]entry{
	"GET /assets/:name": {anyone, http.StatusOK, nil},
	"GET /sign-in":      {anyone, http.StatusOK, nil},
	"POST /sign-in":     {anyone, http.StatusUnprocessableEntity, of("email", "nobody@example.com", "password", "a wrong password")},
	"POST /sign-out":    {anyone, http.StatusSeeOther, nil},
	"GET /":             {signedIn, http.StatusSeeOther, nil},
	"GET /reference":    {anyone, http.StatusOK, nil},
	"GET /quickstart":   {anyone, http.StatusOK, nil},

	// No provider is set up, and nobody has an invitation at hand.
	"GET /sign-in/oidc":          {anyone, http.StatusNotFound, nil},
	"GET /sign-in/oidc/callback": {anyone, http.StatusNotFound, nil},
	"GET /invitations/:token":    {anyone, http.StatusGone, nil},
	"GET /join":                  {anyone, http.StatusGone, nil},
	"POST /join":                 {anyone, http.StatusGone, of("action", "new")},

	"GET " + inside + "/keys":      {looker, http.StatusOK, nil},
	"GET " + inside + "/keys/new":  {maker, http.StatusOK, nil},
	"POST " + inside + "/keys/new": {maker, http.StatusOK, newKeyForm},
	"GET " + oneKey:                {looker, http.StatusOK, nil},
	"POST " + oneKey + "/name":     {maker, http.StatusSeeOther, of("name", "renamed")},
	"POST " + oneKey + "/scope":    {maker, http.StatusSeeOther, of("scope", "write")},
	"POST " + oneKey + "/expiry":   {maker, http.StatusSeeOther, of("expiry", "7")},
	"GET " + oneKey + "/rotate":    {maker, http.StatusOK, nil},
	"POST " + oneKey + "/rotate":   {maker, http.StatusOK, of("overlap", "1h")},
	"GET " + oneKey + "/revoke":    {maker, http.StatusOK, nil},
	"POST " + oneKey + "/revoke":   {maker, http.StatusSeeOther, nil},
	"GET " + inside + "/activity":  {looker, http.StatusOK, nil},

	"GET /account":                                       {signedIn, http.StatusOK, nil},
	"POST /account/password":                             {signedIn, http.StatusUnprocessableEntity, of("present", "a wrong password", "next", "another password, which is long")},
	"POST /account/sessions/:id/end":                     {signedIn, http.StatusSeeOther, nil},
	"POST /account/sessions/end-others":                  {signedIn, http.StatusSeeOther, nil},
	"GET " + inside + "/use":                             {looker, http.StatusOK, nil},
	"GET " + inside + "/members":                         {looker, http.StatusOK, nil},
	"POST " + inside + "/members/:member/role":           {owner, http.StatusSeeOther, of("role", "developer")},
	"POST " + inside + "/members/:member/remove":         {owner, http.StatusSeeOther, nil},
	"POST " + inside + "/invitations":                    {owner, http.StatusOK, of("role", "viewer")},
	"POST " + inside + "/invitations/:invitation/revoke": {owner, http.StatusSeeOther, nil},
}

func of(pairs ...string) func() url.Values { return func() url.Values { return form(pairs...) } }

func newKeyForm() url.Values {
	return form("form", uuid.NewString(), "name", "made", "scope", "read", "expiry", "30")
}

package developer

import (
	"net/http"
	"regexp"

	"github.com/gin-gonic/gin"
)

// wayBackCookie keeps the page that somebody asked for before they signed in. It
// needs no session, which would be a row for everyone who asks.
const wayBackCookie = "records_way_back"

// wayBackLife is for how long, in seconds: what an identity provider may take.
const wayBackLife = 600

// returnable are the pages to come back to: none that does something, or leads elsewhere.
var returnable = regexp.MustCompile(`^/(account|workspaces/[0-9a-f-]{36}/(keys|use|activity|members)(/new|/[0-9a-f-]{36})?)$`)

// rememberWayBack keeps which page was asked for.
func (a *Area) rememberWayBack(c *gin.Context) {
	if path := c.Request.URL.Path; c.Request.Method == http.MethodGet && returnable.MatchString(path) {
		a.setCookie(c, wayBackCookie, path, wayBackLife)
	}
}

// wayBack returns the page that was asked for, and forgets it; "/" for none.
func (a *Area) wayBack(c *gin.Context) string {
	path := a.cookie(c, wayBackCookie)
	if path == "" {
		return "/"
	}
	a.setCookie(c, wayBackCookie, "", -1)
	if !returnable.MatchString(path) {
		return "/"
	}
	return path
}

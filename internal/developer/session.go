package developer

import (
	"errors"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"records/ent/privacy"
	"records/internal/account"
	"records/internal/viewer"
)

// loadSession puts the session that the request's cookie names into its context.
func (a *Area) loadSession(c *gin.Context) error {
	token, _ := c.Request.Cookie(a.sessions.Cookie.Name)
	if token == nil {
		token = new(http.Cookie)
	}
	address, _ := a.Address(c.Request)
	ctx, err := a.sessions.Load(c.Request.Context(), token.Value, account.Visit{Address: address, Agent: c.Request.UserAgent()})
	if err != nil {
		return err
	}
	c.Request = c.Request.WithContext(ctx)
	return nil
}

// keepSession writes what has changed in the session, and its cookie.
func (a *Area) keepSession(c *gin.Context) error {
	ctx := c.Request.Context()
	switch a.sessions.Status(ctx) {
	case scs.Modified:
		token, expiry, err := a.sessions.Commit(ctx)
		if err != nil {
			return err
		}
		a.sessions.WriteSessionCookie(ctx, c.Writer, token, expiry)
	case scs.Destroyed:
		a.sessions.WriteSessionCookie(ctx, c.Writer, "", time.Time{})
	}
	return nil
}

// signedIn lets pass who is signed in.
func (a *Area) signedIn(c *gin.Context) error {
	ctx := c.Request.Context()
	user, ok := a.sessions.User(ctx)
	if !ok {
		return errSignIn
	}
	c.Request = c.Request.WithContext(viewer.NewPersonContext(ctx, viewer.Person{User: user}))
	return nil
}

// developer lets pass those who may change keys to the forms for it. Whether they
// may is decided by the policies once more, when a form is sent.
func (a *Area) developer(c *gin.Context) error {
	if p, ok := viewer.PersonFromContext(c.Request.Context()); !ok || !p.Role.May(viewer.RoleDeveloper) {
		return privacy.Deny
	}
	return nil
}

// perhapsSignedIn lets everybody pass: the page is public, and whoever is signed in
// finds their way back from it.
func (a *Area) perhapsSignedIn(c *gin.Context) error {
	if err := a.signedIn(c); err != nil && !errors.Is(err, errSignIn) {
		return err
	}
	return nil
}

// member lets pass members of the workspace that the path names.
func (a *Area) member(c *gin.Context) error {
	ctx, err := account.Enter(c.Request.Context(), a.Client, idOf(c, "workspace"))
	if err == nil {
		c.Request = c.Request.WithContext(ctx)
	}
	return err
}

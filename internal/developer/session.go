package developer

import (
	"errors"
	"net/http"
	"time"

	"github.com/alexedwards/scs/v2"
	"github.com/gin-gonic/gin"

	"records/internal/account"
	"records/internal/scalar"
	"records/internal/viewer"
)

// loadSession puts the session that the request's cookie names into its context.
func (a *Area) loadSession(c *gin.Context) error {
	token, _ := c.Request.Cookie(a.sessions.Cookie.Name)
	if token == nil {
		token = new(http.Cookie)
	}
	ctx, err := a.sessions.Load(c.Request.Context(), token.Value)
	if err == nil {
		c.Request = c.Request.WithContext(ctx)
	}
	return err
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
	workspace, err := scalar.ParseUUID(c.Param("workspace"))
	if err != nil {
		return account.ErrNoMember
	}
	ctx, err := account.Enter(c.Request.Context(), a.Client, workspace)
	if err == nil {
		c.Request = c.Request.WithContext(ctx)
	}
	return err
}

package developer

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"records/internal/account"
	"records/internal/viewer"
)

// changePassword answers POST /account/password.
func (a *Area) changePassword(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	p, _ := viewer.PersonFromContext(ctx)
	u, err := a.self(c, p.User)
	if err != nil {
		return nil, err
	}
	if err := account.CheckPassword(c.PostForm("password"), u.Email, u.Name); err != nil {
		return a.accountPage(c, http.StatusUnprocessableEntity, map[string]string{"password": err.Error()})
	}
	on := onAccount("change", u.ID.String()) // whoever sits at a browser that was left open
	if err := a.attempt(c, on); err != nil {
		return nil, err
	}
	err = a.sessions.ChangePassword(ctx, a.Client, u, c.PostForm("present"), c.PostForm("password"))
	if errors.Is(err, account.ErrRefused) {
		return a.accountPage(c, http.StatusUnprocessableEntity, map[string]string{"present": "is wrong"})
	}
	if err != nil {
		return nil, err
	}
	a.forgive(c, on)
	a.markBrowser(c, u)
	if err := a.sessions.Begin(ctx, u.ID); err != nil {
		return nil, err
	}
	return a.noticed(c, "/account", "Your password is changed. All other sessions have ended."), nil
}

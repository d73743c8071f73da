package developer

import (
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"records/ent"
	"records/ent/session"
	"records/internal/account"
	"records/internal/viewer"
)

// accountPage is what /account shows.
type accountPage struct {
	Sessions    []accountSession
	HasPassword bool
	Faults      map[string]string
}

type accountSession struct {
	*ent.Session
	Browser string
	Current bool
}

// showAccount answers GET /account.
func (a *Area) showAccount(c *gin.Context) (answer, error) {
	return a.accountPage(c, 0, nil)
}

func (a *Area) accountPage(c *gin.Context, status int, faults map[string]string) (answer, error) {
	ctx := c.Request.Context()
	p, _ := viewer.PersonFromContext(ctx)
	u, err := a.self(c, p.User)
	if err != nil {
		return nil, err
	}
	rows, err := a.Client.Session.Query().Where(session.ExpiresAtGT(time.Now().UTC())).Order(ent.Desc(session.FieldLastUsedAt)).All(ctx)
	if err != nil {
		return nil, err
	}
	data := accountPage{HasPassword: u.PasswordHash != nil, Faults: faults}
	for _, row := range rows {
		data.Sessions = append(data.Sessions, accountSession{row, browserName(row.Agent), a.sessions.Current(ctx, row)})
	}
	return page{status: status, name: "account", title: "Your account", data: data}, nil
}

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

// endSession answers POST /account/sessions/:id/end.
func (a *Area) endSession(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	id, err := idOf(c, "id")
	if err != nil {
		return nil, err
	}
	row, err := a.Client.Session.Query().Where(session.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	if a.sessions.Current(ctx, row) {
		return a.signOut(c)
	}
	if _, err := a.Client.Session.Delete().Where(session.ID(id)).Exec(ctx); err != nil {
		return nil, err
	}
	return a.noticed(c, "/account", "The session has ended."), nil
}

// endOtherSessions answers POST /account/sessions/end-others.
func (a *Area) endOtherSessions(c *gin.Context) (answer, error) {
	if err := a.sessions.EndOthers(c.Request.Context(), a.Client); err != nil {
		return nil, err
	}
	return a.noticed(c, "/account", "All other sessions have ended."), nil
}

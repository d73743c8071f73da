package developer

import (
	"time"

	"github.com/gin-gonic/gin"

	"records/ent"
	"records/ent/session"
	"records/internal/viewer"
)

// accountPage is what /account shows.
type accountPage struct {
	Sessions    []accountSession
	More        bool // sessions that are not shown
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
	rows, err := a.Client.Session.Query().Where(session.ExpiresAtGT(time.Now().UTC())).Order(ent.Desc(session.FieldLastUsedAt)).Limit(pageSize + 1).All(ctx)
	if err != nil {
		return nil, err
	}
	data := accountPage{HasPassword: u.PasswordHash != nil, Faults: faults}
	rows, data.More = firstPage(rows)
	for _, row := range rows {
		data.Sessions = append(data.Sessions, accountSession{row, browserName(row.Agent), a.sessions.Current(ctx, row)})
	}
	return page{status: status, name: "account", title: "Your account", data: data}, nil
}

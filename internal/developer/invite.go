package developer

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"records/ent"
	"records/internal/account"
	"records/internal/viewer"
)

// invitedPage shows a new link, once.
type invitedPage struct {
	Invitation *ent.Invitation
	Link       string
}

// invite answers POST /workspaces/:workspace/invitations. The link is this answer
// alone: it is kept nowhere.
func (a *Area) invite(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	p, _ := viewer.PersonFromContext(ctx)
	form := membersPage{Email: strings.TrimSpace(c.PostForm("email")), Faults: map[string]string{}}
	var err error
	if form.Role, err = viewer.ParseRole(c.PostForm("role")); err != nil {
		form.Faults["role"] = "must be owner, developer or viewer"
	}
	if form.Email != "" {
		if err := account.CheckEmail(form.Email); err != nil {
			form.Faults["email"] = err.Error()
		}
	}
	if len(form.Faults) > 0 {
		return a.membersPage(c, http.StatusUnprocessableEntity, form)
	}
	i, token, err := account.Invite(ctx, a.Client, p.Workspace, form.Role, form.Email)
	if err != nil {
		return nil, err
	}
	return page{name: "invited", title: "Invitation link", data: invitedPage{i, account.InvitationLink(a.URL, token)}}, nil
}

package developer

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"records/internal/account"
)

// noInvitation is the one answer to a link that is over, used, revoked or none.
var noInvitation = &failure{status: http.StatusGone, cause: account.ErrNoInvitation,
	message: "This invitation is no longer good, or never was. A link can be used once, within seven days. Ask an owner of the workspace for a new one."}

// openInvitation answers GET /invitations/:token. The session keeps which invitation
// it is, so that its token is in the address bar no longer than it has to be.
func (a *Area) openInvitation(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	i, err := account.Invitation(ctx, a.Client, c.Param("token"))
	if err != nil {
		return nil, orGone(err)
	}
	a.sessions.Invited(ctx, i.ID)
	return redirect("/join"), nil
}

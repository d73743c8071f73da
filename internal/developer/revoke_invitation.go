package developer

import (
	"github.com/gin-gonic/gin"

	"records/internal/account"
)

// revokeInvitation answers POST /workspaces/:workspace/invitations/:invitation/revoke.
func (a *Area) revokeInvitation(c *gin.Context) (answer, error) {
	id := idOf(c, "invitation")
	if err := account.RevokeInvitation(c.Request.Context(), a.Client, id); err != nil {
		return nil, err
	}
	return a.noticed(c, inWorkspace(c, "/members"), "The invitation is revoked."), nil
}

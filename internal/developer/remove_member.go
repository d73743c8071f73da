package developer

import (
	"errors"

	"github.com/gin-gonic/gin"

	"records/internal/account"
)

// removeMember answers POST /workspaces/:workspace/members/:member/remove. Everybody
// may leave.
func (a *Area) removeMember(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	id := idOf(c, "member")
	workspace := idOf(c, "workspace")
	if err := account.RemoveMember(ctx, a.Client, id); err != nil {
		return nil, orLastOwner(err)
	}
	if _, err := account.Enter(ctx, a.Client, workspace); errors.Is(err, account.ErrNoMember) {
		return a.noticed(c, "/", "You have left the workspace."), nil
	}
	return a.noticed(c, inWorkspace(c, "/members"), "The member is removed."), nil
}

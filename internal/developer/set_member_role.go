package developer

import (
	"errors"
	"net/http"

	"github.com/gin-gonic/gin"

	"records/internal/account"
	"records/internal/viewer"
)

// setMemberRole answers POST /workspaces/:workspace/members/:member/role.
func (a *Area) setMemberRole(c *gin.Context) (answer, error) {
	id := idOf(c, "member")
	role, err := viewer.ParseRole(c.PostForm("role"))
	if err != nil {
		return nil, &failure{http.StatusUnprocessableEntity, "The role must be owner, developer or viewer.", err}
	}
	if err := account.SetRole(c.Request.Context(), a.Client, id, role); err != nil {
		return nil, orLastOwner(err)
	}
	return a.noticed(c, inWorkspace(c, "/members"), "The role is changed."), nil
}

func orLastOwner(err error) error {
	if errors.Is(err, account.ErrLastOwner) {
		return &failure{http.StatusConflict, "A workspace keeps at least one owner. Make somebody else an owner first.", err}
	}
	return err
}

package developer

import (
	"github.com/gin-gonic/gin"

	"records/ent"
	"records/ent/workspace"
)

// home answers GET /: the workspaces of who is signed in, or straight the one.
func (a *Area) home(c *gin.Context) (answer, error) {
	all, err := a.Client.Workspace.Query().Order(ent.Asc(workspace.FieldName)).All(c.Request.Context())
	if err != nil {
		return nil, err
	}
	if len(all) == 1 {
		return redirect("/workspaces/" + all[0].ID.String() + "/keys"), nil
	}
	return page{name: "home", title: "Workspaces", data: all}, nil
}

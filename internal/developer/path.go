package developer

import (
	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/internal/scalar"
)

// idOf reads an id of the path. What is none is the zero id, which names nothing: it
// is answered as one that there is not.
func idOf(c *gin.Context, name string) uuid.UUID {
	id, err := scalar.ParseUUID(c.Param(name))
	if err != nil {
		return uuid.Nil
	}
	return id
}

// inWorkspace is a path in the workspace that the request's path names.
func inWorkspace(c *gin.Context, path string) string {
	return "/workspaces/" + c.Param("workspace") + path
}

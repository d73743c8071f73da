package developer

import (
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/internal/scalar"
)

// idOf reads an id of the path. What is none names nothing.
func idOf(c *gin.Context, name string) (uuid.UUID, error) {
	id, err := scalar.ParseUUID(c.Param(name))
	if err != nil {
		return id, &failure{http.StatusNotFound, "There is nothing here, or it is not for you.", err}
	}
	return id, nil
}

// inWorkspace is a path in the workspace that the request's path names.
func inWorkspace(c *gin.Context, path string) string {
	return "/workspaces/" + c.Param("workspace") + path
}

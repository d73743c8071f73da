package developer

import (
	"github.com/gin-gonic/gin"

	"records/ent"
	"records/ent/apikey"
)

// listKeys answers GET /workspaces/:workspace/keys.
func (a *Area) listKeys(c *gin.Context) (answer, error) {
	keys, err := a.Client.APIKey.Query().Order(ent.Desc(apikey.FieldID)).All(c.Request.Context())
	if err != nil {
		return nil, err
	}
	return page{name: "keys", title: "API keys", data: keys}, nil
}

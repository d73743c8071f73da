package developer

import (
	"github.com/gin-gonic/gin"

	"records/internal/apikey"
)

// revokeKeyForm answers GET /workspaces/:workspace/keys/:key/revoke: it asks once
// more.
func (a *Area) revokeKeyForm(c *gin.Context) (answer, error) {
	key, err := a.key(c)
	if err != nil {
		return nil, err
	}
	return page{name: "key_revoke", title: "Revoke the key?", data: key}, nil
}

// revokeKey answers POST /workspaces/:workspace/keys/:key/revoke.
func (a *Area) revokeKey(c *gin.Context) (answer, error) {
	key, err := a.key(c)
	if err != nil {
		return nil, err
	}
	if err := apikey.Revoke(c.Request.Context(), a.Client, key.ID); err != nil {
		return nil, err
	}
	return a.noticed(c, pathOf(key), "The key is revoked. It is refused everywhere within a second."), nil
}

package developer

import (
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"records/ent"
	entkey "records/ent/apikey"
	"records/internal/apikey"
)

// overlaps are how long a key may live on beside the one that takes its place.
var overlaps = []choice{
	{Value: "0s", Label: "It ends now"},
	{Value: "1h", Label: "It lives for 1 hour more"},
	{Value: "24h", Label: "It lives for 24 hours more"},
	{Value: "168h", Label: "It lives for 7 days more"},
}

// rotatePage is the form for it.
type rotatePage struct {
	Key      *ent.APIKey
	Overlaps []choice
	Fault    string
}

// rotateKeyForm answers GET /workspaces/:workspace/keys/:key/rotate.
func (a *Area) rotateKeyForm(c *gin.Context) (answer, error) {
	key, err := a.key(c)
	if err != nil {
		return nil, err
	}
	return page{name: "key_rotate", title: "Rotate the key", data: rotatePage{key, overlaps, ""}}, nil
}

// rotateKey answers POST /workspaces/:workspace/keys/:key/rotate by the new key's
// token, this once.
func (a *Area) rotateKey(c *gin.Context) (answer, error) {
	key, err := a.key(c)
	if err != nil {
		return nil, err
	}
	overlap, err := time.ParseDuration(c.PostForm("overlap"))
	if err != nil || overlap < 0 || overlap > apikey.MaxOverlap {
		return page{status: http.StatusUnprocessableEntity, name: "key_rotate", title: "Rotate the key",
			data: rotatePage{key, overlaps, "Choose what becomes of the old key."}}, a.developer(c)
	}
	next, token, err := apikey.Rotate(c.Request.Context(), a.Client, key.ID, overlap)
	if errors.Is(err, apikey.ErrReplaced) || errors.Is(err, apikey.ErrExpired) {
		made, findErr := a.madeBefore(c, entkey.Replaces(key.ID))
		if ent.IsNotFound(findErr) {
			return nil, err
		}
		return made, findErr
	}
	if err != nil {
		return nil, err
	}
	return a.madePage(next, token), nil
}

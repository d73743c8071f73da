package developer

import (
	"time"

	"github.com/gin-gonic/gin"

	"records/ent"
	entkey "records/ent/apikey"
	"records/internal/apikey"
)

// keysPage is one page of the list of keys.
type keysPage struct {
	Keys  []*ent.APIKey
	Pager pager
}

// listKeys answers GET /workspaces/:workspace/keys: the newest first, those that
// have ended after all others.
func (a *Area) listKeys(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	total, err := a.Client.APIKey.Query().Count(ctx)
	if err != nil {
		return nil, err
	}
	pager, err := pagerOf(c, total)
	if err != nil {
		return nil, err
	}
	keys, err := a.Client.APIKey.Query().
		WithCreator().
		Order(apikey.EndedLast(time.Now()), ent.Desc(entkey.FieldID)).
		Offset(pager.offset()).Limit(pageSize).
		All(ctx)
	if err != nil {
		return nil, err
	}
	return page{name: "keys", title: "API keys", data: keysPage{keys, pager}}, nil
}

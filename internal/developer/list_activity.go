package developer

import (
	"github.com/gin-gonic/gin"

	"records/ent"
	"records/ent/auditevent"
)

// activityPage is one page of what was done in a workspace.
type activityPage struct {
	Events []*ent.AuditEvent
	Pager  pager
}

// listActivity answers GET /workspaces/:workspace/activity, newest first.
func (a *Area) listActivity(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	total, err := a.Client.AuditEvent.Query().Count(ctx)
	if err != nil {
		return nil, err
	}
	pager, err := pagerOf(c, total)
	if err != nil {
		return nil, err
	}
	events, err := a.Client.AuditEvent.Query().
		WithUser().WithKey().
		Order(ent.Desc(auditevent.FieldID)).
		Offset(pager.offset()).Limit(pageSize).
		All(ctx)
	if err != nil {
		return nil, err
	}
	return page{name: "activity", title: "Activity", data: activityPage{events, pager}}, nil
}

package developer

import (
	"github.com/gin-gonic/gin"

	"records/ent/session"
)

// endSession answers POST /account/sessions/:id/end.
func (a *Area) endSession(c *gin.Context) (answer, error) {
	ctx := c.Request.Context()
	id := idOf(c, "id")
	row, err := a.Client.Session.Query().Where(session.ID(id)).Only(ctx)
	if err != nil {
		return nil, err
	}
	if a.sessions.Current(ctx, row) {
		return a.signOut(c)
	}
	if _, err := a.Client.Session.Delete().Where(session.ID(id)).Exec(ctx); err != nil {
		return nil, err
	}
	return a.noticed(c, "/account", "The session has ended."), nil
}

// endOtherSessions answers POST /account/sessions/end-others.
func (a *Area) endOtherSessions(c *gin.Context) (answer, error) {
	if err := a.sessions.EndOthers(c.Request.Context(), a.Client); err != nil {
		return nil, err
	}
	return a.noticed(c, "/account", "All other sessions have ended."), nil
}

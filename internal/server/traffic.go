package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/internal/apikey"
	"records/internal/developer"
	"records/internal/rest"
	"records/internal/traffic"
	"records/internal/viewer"
)

// noteTraffic counts a request on its key once it is answered; on a key that is
// revoked or expired, too. A request without a key that there is belongs to no
// workspace, and is not counted.
func (s *Server) noteTraffic(c *gin.Context) {
	c.Next()
	q := traffic.Request{Status: rest.Status(c)}
	if v, ok := viewer.FromContext(c.Request.Context()); ok {
		q.Workspace, q.Key = v.Workspace, v.Key
	}
	if q.Status >= http.StatusBadRequest {
		refusal(c, &q)
	}
	if q.Key == uuid.Nil {
		return
	}
	q.At, q.Method, q.Route, q.ID = time.Now(), c.Request.Method, c.FullPath(), c.Writer.Header().Get(requestIDHeader)
	s.traffic.Note(&q)
}

// refusal tells why a request was refused, and of which key, if the key was why. A
// client that went away was not refused.
func refusal(c *gin.Context, q *traffic.Request) {
	last := c.Errors.Last()
	if last == nil {
		return
	}
	e, ok := errors.AsType[*rest.Error](last.Err)
	if !ok || e.Status != q.Status || errors.Is(e, context.Canceled) {
		return
	}
	q.Code = e.Code
	if key, ok := errors.AsType[apikey.RefusedKey](e); ok {
		q.Workspace, q.Key = key.Workspace, key.Key
	}
}

// keyStanding is where a key stands, for a page that shows it.
func (s *Server) keyStanding(ctx context.Context, key uuid.UUID) developer.Standing {
	return standing(s.ceilings.peekKey(ctx, key.String()))
}

// addressStanding is where the address stands that a page is asked for from.
func (s *Server) addressStanding(r *http.Request) developer.Standing {
	return standing(s.ceilings.peekIP(r.Context(), clientIP(r, s.TrustedProxies)))
}

func standing(at stand) developer.Standing {
	return developer.Standing{Used: at.limit - at.remaining, Limit: at.limit, Reset: at.reset}
}

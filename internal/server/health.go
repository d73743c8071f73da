package server

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"records/internal/rest"
	"records/internal/rowsecurity"
	"records/migrate"
)

// readyTimeout bounds the look at the database.
const readyTimeout = 3 * time.Second

var healthy = []byte(`{"status":"ok"}`)

// isHealth reports whether a route is one of those that tell whether all is well.
func isHealth(route string) bool { return route == "/livez" || route == "/readyz" }

// live answers as long as the program runs.
func (s *Server) live(c *gin.Context) { rest.Respond(c, http.StatusOK, healthy) }

// ready answers 503 while the database cannot be reached, while migrations are
// pending or tables or columns missing, when a newer program has migrated it past what this
// one can serve, where the role may not read its tables or row-level security hides all
// records from it, and from the moment the program is told to stop.
//
// Everybody may ask, and no ceiling counts it: those who ask while it is found out wait
// for one answer, so that they hold one connection to the database between them.
func (s *Server) ready(c *gin.Context) {
	if s.draining.Load() {
		rest.Fail(c, notReady("The server is stopping.", nil))
		return
	}
	_, err, _ := s.readiness.Do("", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), readyTimeout)
		defer cancel()
		return nil, s.unready(ctx)
	})
	if err != nil {
		rest.Fail(c, err)
		return
	}
	rest.Respond(c, http.StatusOK, healthy)
}

func (s *Server) unready(ctx context.Context) error {
	standing, err := migrate.Embedded.Compare(ctx, s.DB)
	if _, denied := errors.AsType[*migrate.DeniedError](err); denied {
		return notReady(messageMayNot, err)
	}
	if err != nil {
		return notReady("The database cannot be reached.", err)
	}
	if err := standing.Err(); err != nil {
		return notReady("The database was migrated by a newer version, which this one cannot serve.", err)
	}
	if len(standing.Pending) > 0 {
		return notReady("Migrations are pending.", nil)
	}
	if err := s.unmade(ctx); err != nil {
		return err
	}
	if err := s.denied(ctx); err != nil {
		return err
	}
	return s.unseen(ctx)
}

// unseen is what keeps a server from being ready that row-level security shows no
// record to, since it was not told of it: it would answer that there is none.
func (s *Server) unseen(ctx context.Context) error {
	hidden, err := rowsecurity.Hidden(ctx, s.DB)
	if err != nil {
		return notReady("The database cannot be reached.", err)
	}
	if len(hidden) > 0 {
		return notReady("PostgreSQL confines this server's role to one workspace at a time, and database.row_level_security is not set.", nil)
	}
	return nil
}

const messageMayNot = "PostgreSQL does not let this server's role read all that it has to."

func notReady(message string, cause error) *rest.Error {
	return &rest.Error{Status: http.StatusServiceUnavailable, Code: rest.CodeUnavailable, Message: message, Cause: cause}
}

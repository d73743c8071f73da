package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/internal/logging"
	"records/internal/rest"
	"records/internal/viewer"
)

const requestIDHeader = "X-Request-Id"

// saneID is a request id that is kept from a client: short, and safe in a log.
var saneID = regexp.MustCompile(`^[A-Za-z0-9._:/+=@-]{1,128}$`)

// requestID gives every request an id, or keeps the sane one that it came with.
func requestID(c *gin.Context) {
	given := c.Request.Header.Values(requestIDHeader)
	if len(given) == 1 && saneID.MatchString(given[0]) {
		c.Header(requestIDHeader, given[0])
		return
	}
	c.Header(requestIDHeader, uuid.Must(uuid.NewV7()).String())
}

// account counts a request, and writes its one line in the log. That says the route,
// not the path, and neither query, body nor key: the log is no place for what clients
// send.
func (s *Server) account(c *gin.Context) {
	start := time.Now()
	s.counted.inFlight.Add(1)
	defer s.counted.inFlight.Add(-1)
	c.Next()
	a := answer(c, time.Since(start))
	if s.Observe != nil {
		s.Observe(a)
	}
	attrs := []slog.Attr{
		slog.String("request_id", a.RequestID),
		slog.String("method", a.Method),
		slog.String("route", a.Route),
		slog.Int("status", a.Status),
		slog.Duration("duration", a.Took),
	}
	v, known := viewer.FromContext(c.Request.Context())
	if known {
		attrs = append(attrs, slog.String("key_id", v.Key.String()))
	}
	var failed error
	if last := c.Errors.Last(); last != nil {
		failed = last
	}
	s.outage.note(s.Log, failed, a.Status/100 == 2 && (known || a.Route == "/readyz"))
	level := slog.LevelInfo
	switch {
	case isHealth(a.Route) && (a.Status == http.StatusOK || s.draining.Load()):
		level = slog.LevelDebug // asked for every few seconds by some, and that all is well is no news
	case a.Status >= http.StatusInternalServerError:
		level = slog.LevelError
		attrs = append(attrs, slog.String("error", strings.Join(c.Errors.Errors(), "; ")))
		if failed != nil && isShed(failed) {
			level = slog.LevelWarn // as it should be, and too often to be written at once
		} else if failed != nil {
			s.counted.fail(failed)
		}
	}
	s.Log.LogAttrs(c.Request.Context(), level, logging.Request, attrs...)
}

// Tracer follows a request. It returns the context that goes on with it, and what is
// told of its answer.
type Tracer func(*http.Request) (context.Context, func(Answer))

// traced follows a request by the tracer.
func (s *Server) traced(c *gin.Context) {
	start := time.Now()
	ctx, ended := s.Trace(c.Request)
	c.Request = c.Request.WithContext(ctx)
	defer func() { ended(answer(c, time.Since(start))) }()
	c.Next()
}

// recoverPanic answers a panic as any fault of ours. The stack goes into the
// request's one log line.
func recoverPanic(c *gin.Context) {
	defer func() {
		cause := recover()
		if cause == nil {
			return
		}
		if err, ok := cause.(error); ok && errors.Is(err, http.ErrAbortHandler) {
			panic(cause)
		}
		rest.Fail(c, fmt.Errorf("panic: %v\n%s", cause, debug.Stack()))
	}()
	c.Next()
}

// cors lets browsers call the API from anywhere: a key is in a header, never in
// a cookie, so that no origin has more than another.
func cors(c *gin.Context) {
	if isAPI(c.Request.URL.EscapedPath()) {
		h := c.Writer.Header()
		h["Access-Control-Allow-Origin"], h["Access-Control-Expose-Headers"] = fromAnywhere, exposed
	}
}

// The values of every answer, which nothing changes: they are made once.
var (
	fromAnywhere = []string{"*"}
	exposed      = []string{"Allow, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, " +
		"X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id"}
)

package server

import (
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"records/internal/apikey"
	"records/internal/database"
	"records/internal/overload"
	"records/internal/rest"
)

// Answer is what is known of a request once it has been answered.
type Answer struct {
	Route     string // as in the route table, such as /api/v1/tasks/:id; "none" where there is none
	Method    string // "other" for one that HTTP does not know
	Status    int
	Took      time.Duration
	RequestID string
}

// Stats are how things stand, and what was counted since the start.
type Stats struct {
	InFlight           int64 // requests
	Connections        int64 // of clients
	ConnectionsRefused int64

	RefusedByKey, RefusedByIP int64 // requests, by the two ceilings
	Degraded                  bool  // a shared store is set, and does not answer
	Fallbacks                 int64 // questions that were answered in process instead

	Gates   map[string]overload.Stats // by what passes: "all", or "read" and "write"; and "pages"
	Answers overload.Stats            // large ones, in bytes
	Keys    apikey.Stats
	Failed  map[string]int64 // requests, by database.Kinds
}

// counted is what the server counts itself.
type counted struct {
	inFlight, byKey, byIP atomic.Int64
	failed                [len(database.Kinds)]atomic.Int64
}

// Stats returns how things stand.
func (s *Server) Stats() Stats {
	all := Stats{
		InFlight:           s.counted.inFlight.Load(),
		Connections:        int64(s.connections.count()),
		ConnectionsRefused: s.connections.refused.Load(),
		RefusedByKey:       s.counted.byKey.Load(),
		RefusedByIP:        s.counted.byIP.Load(),
		Degraded:           s.ceilings.degraded(),
		Fallbacks:          s.ceilings.fallbacks(),
		Gates:              map[string]overload.Stats{"pages": s.developer.Stats()},
		Answers:            s.answers.Stats(),
		Keys:               s.auth.Stats(),
		Failed:             map[string]int64{},
	}
	if s.gates.read == s.gates.write {
		all.Gates["all"] = s.gates.read.Stats()
	} else {
		all.Gates["read"], all.Gates["write"] = s.gates.read.Stats(), s.gates.write.Stats()
	}
	for i, kind := range database.Kinds {
		all.Failed[kind] = s.counted.failed[i].Load()
	}
	return all
}

// failed counts a request that the database failed.
func (c *counted) fail(err error) {
	kind := database.Kind(err)
	for i := range database.Kinds {
		if database.Kinds[i] == kind {
			c.failed[i].Add(1)
		}
	}
}

// answer is what is told of a request.
func answer(c *gin.Context, took time.Duration) Answer {
	a := Answer{
		Route: c.FullPath(), Method: c.Request.Method, Status: rest.Status(c),
		Took: took, RequestID: c.Writer.Header().Get(requestIDHeader),
	}
	if a.Route == "" {
		a.Route = "none"
	}
	switch a.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
	default:
		a.Method = "other" // a client can make up as many as it likes
	}
	return a
}

func isShed(err error) bool { return errors.Is(err, overload.ErrShed) }

package server

import (
	"cmp"
	"context"
	"fmt"
	"net/http"

	"entgo.io/ent/dialect"
	"github.com/google/uuid"

	"records/internal/overload"
	"records/internal/rest"
	"records/internal/viewer"
)

// sqliteWrites is how many writes are in work at once on SQLite. They take turns
// there, without a connection each, and are committed together: half of them make one
// commit of the largest size.
const sqliteWrites = 128

// gates bound the requests that are at work at the database, and those that wait to
// be. PostgreSQL has one for all. On SQLite reads never wait for writes, so that each
// has its own.
type gates struct{ read, write *overload.Gate }

func newGates(o Options) gates {
	limits := overload.Limits{Places: places(o.DB.Conns()), Waiting: o.MaxWaiting, Patience: o.MaxWait}
	read := overload.New(limits)
	if o.DB.Dialect() == dialect.Postgres {
		return gates{read, read}
	}
	limits.Places = sqliteWrites
	return gates{read, overload.New(limits)}
}

// of returns the gate of a work, and what it is to that.
func (g gates) of(workspace uuid.UUID, resource, method string) (*overload.Gate, overload.Work) {
	w := overload.Work{Workspace: workspace, Resource: resource}
	if method == http.MethodGet || method == http.MethodHead {
		return g.read, w
	}
	w.Write = g.read == g.write
	return g.write, w
}

// places is how many of the database's connections requests may have. An eighth is
// for what no request may keep waiting: look-ups of keys, and readiness.
func places(conns int) int { return max(1, conns-max(1, conns/8)) }

// begin is the rest.Begin of every resource. The time for the work includes that in
// line.
func (s *Server) begin(ctx context.Context, resource, method string) (context.Context, func(), error) {
	v, _ := viewer.FromContext(ctx)
	gate, w := s.gates.of(v.Workspace, resource, method)
	ctx, cancel := context.WithTimeout(ctx, s.RequestTimeout)
	leave, err := gate.Enter(ctx, w)
	if err != nil {
		cancel()
		return nil, nil, overloaded(err)
	}
	return ctx, func() { leave(); cancel() }, nil
}

const (
	mostAnswers    = 256 << 20 // bytes of large answers that are in memory until they have been read
	waitingAnswers = 16        // those that wait for the others, with what was read for them
)

func newAnswers(o Options) *overload.Budget {
	return overload.NewBudget(overload.Limits{Places: cmp.Or(o.MaxAnswers, mostAnswers), Waiting: waitingAnswers, Patience: o.MaxWait})
}

// hold is the rest.Hold of every resource.
func (s *Server) hold(ctx context.Context, bytes int) (release func(), err error) {
	v, _ := viewer.FromContext(ctx)
	release, err = s.answers.Take(ctx, v.Workspace, bytes)
	if err != nil {
		return nil, overloaded(fmt.Errorf("large answers: %w", err))
	}
	return release, nil
}

// overloaded answers 503 to what was shed. Unlike a lost reply, it is safe to repeat.
func overloaded(err error) error {
	if !isShed(err) {
		return err
	}
	return &rest.Error{Status: http.StatusServiceUnavailable, Code: rest.CodeUnavailable, Message: messageOverloaded, Cause: err}
}

const messageOverloaded = "The service is overloaded, and nothing was done. Try again shortly."

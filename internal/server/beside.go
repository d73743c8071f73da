package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Bounds of a listener for the operator: for metrics and health, whose requests have
// no body and are few.
const (
	// BesideConnections is the most that are open. One too many is answered 503.
	BesideConnections  = 64
	besideReadTimeout  = 5 * time.Second
	besideWriteTimeout = 30 * time.Second
)

// ServeBeside answers on a listener for the operator until the context ends, within
// bounds as the API's listener has. Nobody waits for requests in flight.
func ServeBeside(ctx context.Context, listener net.Listener, handler http.Handler, log *slog.Logger) error {
	c := newConnections(BesideConnections, 0, nil)
	h := newHTTPServer(c, listener, handler, log, besideReadTimeout, besideWriteTimeout)
	stop := context.AfterFunc(ctx, func() { _ = h.Close() })
	defer stop()
	if err := h.Serve(c); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newHTTPServer returns what answers on a listener, with the bounds that both kinds
// of it have: the connections are those that c lets in, a header has so long to come,
// and from then an answer to be read. What net/http answers itself must not wait for
// a body without end: OPTIONS * is left to the handler, and before a 417 the body has
// no more time than the header. The handler may give it more.
func newHTTPServer(c *connections, listener net.Listener, handler http.Handler, log *slog.Logger, header, answer time.Duration) *http.Server {
	c.Listener, c.log = listener, log
	return &http.Server{
		Handler:        handler,
		ConnState:      c.watch,
		ReadTimeout:    header,
		WriteTimeout:   answer,
		IdleTimeout:    idleTimeout,
		MaxHeaderBytes: maxHeader - headerSlack,
		ErrorLog:       slog.NewLogLogger(log.Handler(), slog.LevelDebug),

		DisableGeneralOptionsHandler: true,
	}
}

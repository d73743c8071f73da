package server

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"syscall"
	"testing"
	"testing/synctest"
)

// exhausted is a listener on a machine that has no more files to open, for some calls.
type exhausted struct {
	net.Listener
	calls int
}

func (e *exhausted) Accept() (net.Conn, error) {
	if e.calls--; e.calls >= 0 {
		return nil, &net.OpError{Op: "accept", Err: syscall.EMFILE}
	}
	return nil, net.ErrClosed
}

func (*exhausted) Close() error { return nil }

// Clients that cannot be let in know nothing of why: the operator is told, once.
func TestNoMoreFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		log := &logBuffer{}
		if err := ServeBeside(context.Background(), &exhausted{calls: 5}, http.NotFoundHandler(), slog.New(slog.NewTextHandler(log, nil))); err == nil {
			t.Error("it goes on")
		}
		if log.count("connections cannot be accepted") != 1 || log.count("too many open files") != 1 || log.count("\n") != 1 {
			t.Error(log.String())
		}
	})
}

package server

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/google/uuid"

	"records/internal/rest"
)

const (
	// refuseTimeout is how long a client that was refused may take to see it.
	refuseTimeout = time.Second
	// maxRefusals is how many of them are waited for at once. Past that they are told
	// all the same, and cut off.
	maxRefusals = 64
)

// connections bounds those of clients. One too many is answered 503 and closed: left
// in the system's own line, its client would wait for ever and know nothing.
type connections struct {
	net.Listener
	log      *slog.Logger
	failing  bool  // the last call of Accept failed
	most     int64 // 0: no bound
	open     atomic.Int64
	refused  atomic.Int64
	refusing chan struct{}
}

func newConnections(most int) *connections {
	return &connections{most: int64(most), refusing: make(chan struct{}, maxRefusals)}
}

// Accept implements net.Listener.
func (l *connections) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		l.tell(err)
		if err != nil || l.most == 0 || l.open.Load() < l.most {
			return conn, err
		}
		l.refused.Add(1)
		refuseConnection(conn)
		select {
		case l.refusing <- struct{}{}:
			go func() {
				awaitLeave(conn)
				<-l.refusing
			}()
		default:
			_ = conn.Close()
		}
	}
}

// tell logs once that clients cannot be let in, for want of open files as a rule. The
// http.Server tries again, and their connections wait in the system's line.
func (l *connections) tell(err error) {
	failing := err != nil && !errors.Is(err, net.ErrClosed)
	if failing && !l.failing {
		l.log.Error("connections cannot be accepted", "error", err.Error())
	}
	l.failing = failing
}

// count is the http.Server's ConnState. It is told of a new connection before the
// next one is accepted.
func (l *connections) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		l.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		l.open.Add(-1)
	}
}

// refuseConnection answers whatever is going to be asked. It holds nobody up: so much
// goes into the buffer of a new connection.
func refuseConnection(conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(refuseTimeout))
	body := rest.Body503(messageOverloaded)
	_, _ = fmt.Fprintf(conn, "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"+
		"Retry-After: 1\r\n%s: %s\r\nConnection: close\r\n\r\n%s", len(body), requestIDHeader, uuid.Must(uuid.NewV7()), body)
}

// awaitLeave waits for the client to go, and closes: to close at once could take the
// answer back, if the question comes after it.
func awaitLeave(conn net.Conn) {
	defer conn.Close()
	if half, ok := conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		_, _ = io.Copy(io.Discard, conn)
	}
}

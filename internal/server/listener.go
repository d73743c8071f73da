package server

import (
	"errors"
	"fmt"
	"io"
	"net"
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
	// tellEvery is how often the log says that connections cannot be accepted.
	tellEvery = time.Minute
)

// Accept implements net.Listener.
func (l *connections) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		l.tell(err)
		if err != nil {
			return nil, err
		}
		client := &clientConn{Conn: conn, from: l.addressOf(conn)}
		if l.admit(client) {
			return client, nil
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

// tell logs once a minute that clients cannot be let in, for want of open files as a
// rule. The http.Server tries again, and their connections wait in the system's line.
func (l *connections) tell(err error) {
	if err == nil || errors.Is(err, net.ErrClosed) || time.Since(l.told) < tellEvery {
		return
	}
	l.told = time.Now()
	l.log.Error("connections cannot be accepted", "error", err.Error())
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

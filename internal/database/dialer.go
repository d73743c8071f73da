package database

import (
	"context"
	"net"
	"sync"
	"time"
)

// dialer opens the sockets of one connection: first those of the connection
// itself, one host after the other, later those on which lib/pq asks the server
// to cancel a statement.
type dialer struct {
	mu      sync.Mutex
	socket  *socket // the last one opened for the connection itself
	expired bool    // the context of the connecting has ended
	done    bool    // the connection stands: all that follows are cancel requests
}

// DialContext implements pq.DialerContext.
func (d *dialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	d.mu.Lock()
	done := d.done
	d.mu.Unlock()
	if done {
		return dialCancel(ctx, network, address)
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	s := &socket{Conn: conn}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.socket = s
	if d.expired {
		s.expire()
	}
	return s, nil
}

// dialCancel opens a socket for a cancel request, which gets a short, fixed time:
// a server that does not take it is not going to answer the statement either.
func dialCancel(ctx context.Context, network, address string) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	s := &socket{Conn: conn}
	s.expire()
	return s, nil
}

// expire ends the connecting: the socket in use fails within the grace.
func (d *dialer) expire() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expired = true
	if d.socket != nil && !d.done {
		d.socket.expire()
	}
}

// connected returns the socket of the connection, which now stands.
func (d *dialer) connected() *socket {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.done = true
	return d.socket
}

// Dial implements pq.Dialer, which lib/pq prefers DialContext to.
func (d *dialer) Dial(network, address string) (net.Conn, error) {
	return d.DialContext(context.Background(), network, address)
}

// DialTimeout implements pq.Dialer likewise.
func (d *dialer) DialTimeout(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	return d.DialContext(ctx, network, address)
}

package server

import (
	"bytes"
	"net"
	"os"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// redisURL is the Redis that the tests use. They share it with whoever else
// does, so each uses ids of its own and clears nothing away.
func redisURL(t *testing.T) string {
	t.Helper()
	url := os.Getenv("TEST_REDIS_URL")
	if url == "" {
		t.Fatal("TEST_REDIS_URL is not set: run `make test`, which starts a Redis")
	}
	return url
}

// redisClient talks to Redis directly, past any proxy.
func redisClient(t *testing.T) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(redisURL(t))
	if err != nil {
		t.Fatal("TEST_REDIS_URL is no URL of a Redis")
	}
	client := redis.NewClient(options)
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// redisProxy stands between the code under test and the real Redis, to take it
// away, or to answer in its place.
type redisProxy struct {
	t            *testing.T
	addr, target string

	mu       sync.Mutex
	listener net.Listener
	conns    map[net.Conn]bool
	answer   func(request []byte) []byte // nil: pass everything on
}

// newRedisProxy makes a proxy that nobody can reach yet: see up.
func newRedisProxy(t *testing.T) *redisProxy {
	t.Helper()
	options, err := redis.ParseURL(redisURL(t))
	if err != nil {
		t.Fatal("TEST_REDIS_URL is no URL of a Redis")
	}
	p := &redisProxy{t: t, addr: "127.0.0.1:0", target: options.Addr, conns: map[net.Conn]bool{}}
	p.up()
	p.down() // the port is ours now
	t.Cleanup(p.down)
	return p
}

func (p *redisProxy) url() string { return "redis://" + p.addr }

// up lets Redis be reached.
func (p *redisProxy) up() {
	p.t.Helper()
	listener, err := net.Listen("tcp", p.addr)
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	p.listener, p.addr = listener, listener.Addr().String()
	p.mu.Unlock()
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(conn)
		}
	}()
}

// down refuses new connections and cuts the present ones.
func (p *redisProxy) down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.listener.Close()
	for conn := range p.conns {
		_ = conn.Close()
	}
	clear(p.conns)
}

// answerWith lets f answer requests in the place of Redis: nil passes one on,
// an empty answer lets the client wait. A nil f passes on all.
func (p *redisProxy) answerWith(f func(request []byte) []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answer = f
}

// refuseScripts answers every script with an error, as Redis does in some states.
func (p *redisProxy) refuseScripts(message string) {
	p.answerWith(func(request []byte) []byte {
		if !bytes.Contains(bytes.ToLower(request), []byte("evalsha")) {
			return nil
		}
		return []byte("-" + message + "\r\n")
	})
}

func (p *redisProxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.conns[client], p.conns[server] = true, true
	p.mu.Unlock()
	go p.copy(client, server, false)
	p.copy(server, client, true)
}

// copy passes on what comes from one side. A request comes in one piece: the
// client writes each with one call, and all are short.
func (p *redisProxy) copy(to, from net.Conn, requests bool) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.mu.Lock()
		answer := p.answer
		p.mu.Unlock()
		if requests && answer != nil {
			if reply := answer(buffer[:n]); reply != nil {
				_, _ = from.Write(reply)
				continue
			}
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

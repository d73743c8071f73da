package server

import (
	"bytes"
	"context"
	"crypto/rand"
	"sync/atomic"
	"testing"
	"time"
)

func TestRedisThatCannotCount(t *testing.T) {
	for _, message := range []string{
		"LOADING Redis is loading the dataset in memory",
		"READONLY You can't write against a read only replica.",
		"OOM command not allowed when used memory > 'maxmemory'.",
		"MASTERDOWN Link with MASTER is down",
		"NOPERM this user has no permissions to run the 'evalsha' command",
	} {
		c, p, log := throughProxy(t, 1, 0)
		p.refuseScripts(message)
		key := rand.Text()
		if c.countKey(t.Context(), key).reached || !c.countKey(t.Context(), key).reached || !c.degraded() {
			t.Errorf("%s: not counted in process", message)
		}
		p.answerWith(nil)
		p.awaitUse(c)
		if log.count("\n") != 2 || log.count(message) != 1 || log.count(".go:") > 0 {
			t.Errorf("%s: the log: %s", message, log.String())
		}
	}
}

// Reading works in states in which writing does not: only a count may find out
// whether Redis is back.
func TestPeekIsNoProbe(t *testing.T) {
	c, p, _ := throughProxy(t, 1, 1)
	p.down()
	c.countKey(t.Context(), rand.Text())
	p.up()
	for range 3 {
		time.Sleep(testPause)
		c.peekIP(t.Context(), anIP())
		c.uncountKey(t.Context(), rand.Text())
	}
	if !c.degraded() {
		t.Error("a peek has closed the breaker")
	}
	p.awaitUse(c)
}

// A restart of Redis or SCRIPT FLUSH makes it forget the scripts.
func TestRedisForgetsTheScripts(t *testing.T) {
	c, p, _ := throughProxy(t, 2, 2)
	key, ip := rand.Text(), anIP()
	forget := func() {
		var once atomic.Bool
		p.answerWith(func(request []byte) []byte {
			if bytes.Contains(bytes.ToLower(request), []byte("evalsha")) && once.CompareAndSwap(false, true) {
				return []byte("-NOSCRIPT No matching script. Please use EVAL.\r\n")
			}
			return nil
		})
	}
	forget()
	c.countKey(t.Context(), key)
	forget()
	c.uncountKey(t.Context(), key)
	forget()
	if s := c.countKey(t.Context(), key); s.remaining != 1 {
		t.Errorf("one counted, given back, counted again: %+v", s)
	}
	forget()
	if s := c.peekIP(t.Context(), ip); s.remaining != 2 {
		t.Errorf("peek: %+v", s)
	}
	if c.degraded() || c.fallbacks() > 0 {
		t.Error("it counts as down")
	}
}

// A client that goes away is counted all the same, and Redis is not blamed.
func TestClientGoesAway(t *testing.T) {
	c, _, _ := throughProxy(t, 2, 2)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	key, ip := rand.Text(), anIP()
	c.countKey(gone, key)
	c.countIP(gone, ip)
	c.peekIP(gone, ip)
	c.countKey(gone, key)
	c.uncountKey(gone, key)
	if c.degraded() || c.fallbacks() > 0 {
		t.Fatal("it counts as a failure of Redis")
	}
	if s := c.countKey(t.Context(), key); s.remaining != 0 || s.reached {
		t.Errorf("not counted: %+v", s)
	}
}

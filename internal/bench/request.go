package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync/atomic"
)

const tasksPath = "/api/v1/tasks"

// Bodies, as people send them.
const (
	createBody = `{"name":"Send the revised offer","status":"open","priority":"high",` +
		`"assignee_id":"0190163d-8694-739b-aea5-966c26f8ad90","due_date":"2026-12-01",` +
		`"description":"They asked for a discount on the yearly plan, and for the terms in writing by the end of the week."}`
	updateBody = `{"status":"done","priority":"low"}`
)

// made is a task that was created, to be deleted.
type made struct {
	owner *workspace
	path  string
}

// source makes the requests of one cell, for several connections at once.
type source struct {
	cell
	data   *data
	prefix string // of the path
	next   atomic.Int64
}

// owner is the workspace of the next request.
func (s *source) owner() *workspace {
	if s.size != small {
		return s.data.sized[s.size]
	}
	return s.data.smalls[int(s.next.Add(1))%len(s.data.smalls)]
}

// request appends the next request. For a deletion, doomed is the task to delete.
func (s *source) request(b []byte, doomed made) ([]byte, *workspace) {
	if s.operation == opDelete {
		return appendRequest(b, http.MethodDelete, doomed.path, doomed.owner.token, ""), doomed.owner
	}
	w := s.owner()
	switch s.operation {
	case opGet:
		b = appendRequest(b, http.MethodGet, s.prefix+w.anyTask(), w.token, "")
	case opList:
		b = appendRequest(b, http.MethodGet, s.prefix+tasksPath+"?limit=50&offset=0", w.token, "")
	case opDeep:
		b = appendRequest(b, http.MethodGet, fmt.Sprint(s.prefix, tasksPath, "?limit=50&offset=", w.tasks/10*9), w.token, "")
	case opUpdate:
		b = appendRequest(b, http.MethodPatch, s.prefix+w.anyTask(), w.token, updateBody)
	case opCreate:
		b = appendRequest(b, http.MethodPost, s.prefix+tasksPath, w.token, createBody)
	}
	return b, w
}

func (w *workspace) anyTask() string {
	return tasksPath + "/" + w.recordID(rand.IntN(w.tasks)).String()
}

func appendRequest(b []byte, method, path, token, body string) []byte {
	b = fmt.Appendf(b, "%s %s HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer %s\r\n", method, path, token)
	if body != "" {
		b = fmt.Appendf(b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return append(append(b, "\r\n"...), body...)
}

// errGaveUp is a reading request that took longer than a server allows itself. It
// is told in the table; any other answer than the right one ends the benchmark.
var errGaveUp = errors.New("the request was given up with 503")

// reads reports whether the operation leaves everything as it is.
func (c cell) reads() bool {
	return c.operation == opGet || c.operation == opList || c.operation == opDeep
}

// expected is the status of an operation that went well.
func (c cell) expected() int {
	if c.operation == opCreate {
		return http.StatusCreated
	}
	return http.StatusOK
}

// check looks whether an answer is the one that was asked for, without decoding
// it whole: it runs beside what is measured.
func (c cell) check(a *answer) error {
	if a.status == http.StatusServiceUnavailable && c.reads() {
		return errGaveUp
	}
	bad := a.status != c.expected() ||
		c.operation == opDelete && !strings.HasSuffix(string(a.body), `"deleted":true}`)
	if bad {
		return fmt.Errorf("%s of %d tasks was answered with %d %.300s", c.operation, c.size, a.status, a.body)
	}
	return nil
}

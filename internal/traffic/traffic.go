// Package traffic counts what is asked with each key, and keeps the last requests
// that were refused, for the developer area.
//
// No request costs a write. Each process counts in memory and writes what is new
// every ten seconds and when it stops, into rows of its own: added up, the rows of
// all processes are exact. What can be lost is told in ADR 22.
package traffic

import (
	"net/http"
	"sync"
	"time"

	"github.com/google/uuid"

	"records/ent"
)

const (
	shards = 16
	// maxCounts is how many counts are kept between two writes, some 6 MB: that many
	// keys, statuses and minutes are told apart. Where half of it is taken, the next
	// write is at once.
	maxCounts = 1 << 16
	// maxRefused is how many refused requests are kept between two writes.
	maxRefused = 1 << 12
	// maxAlike is how many of them are of one key, minute and status, so that a key
	// that is refused all the time leaves room for others.
	maxAlike = 5
)

// Request is a request of a key that was answered.
type Request struct {
	Workspace, Key uuid.UUID
	At             time.Time
	Status         int
	Code           string // of the error; "" where there was none
	Method         string
	Route          string // the template of the path; "" where there is none
	ID             string
}

// Recorder counts requests. It is safe for concurrent use.
type Recorder struct {
	shards [shards]shard
	full   chan struct{}

	mu   sync.Mutex // of what follows: one write at a time
	next map[cell]count
	book book
}

// shard is a part of the counts, by the key.
type shard struct {
	mu      sync.Mutex
	counts  map[cell]count
	refused []*ent.RefusedRequest
	lost    int64
}

// cell is what is counted together.
type cell struct {
	key    uuid.UUID
	minute int64 // since 1970
	status int16
}

type count struct {
	workspace uuid.UUID
	requests  int64
}

// NewRecorder returns one that writes through the client.
func NewRecorder(client *ent.Client) *Recorder {
	r := &Recorder{full: make(chan struct{}, 1), next: map[cell]count{}, book: newBook(client)}
	for i := range r.shards {
		r.shards[i].counts = map[cell]count{}
	}
	return r
}

// Note counts a request. One with a code is kept, within bounds, for the list of
// what was refused.
func (r *Recorder) Note(q *Request) {
	c := cell{q.Key, q.At.Unix() / 60, int16(q.Status)}
	s := &r.shards[q.Key[len(q.Key)-1]%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.counts[c].requests
	if n == 0 {
		if len(s.counts) >= maxCounts/shards {
			s.lost++
			return
		}
		if len(s.counts) == maxCounts/shards/2 {
			r.hurry()
		}
	}
	s.counts[c] = count{q.Workspace, n + 1}
	if q.Code != "" && n < maxAlike && len(s.refused) < maxRefused/shards {
		s.refused = append(s.refused, refused(q))
	}
}

// hurry has what was counted written before its time.
func (r *Recorder) hurry() {
	select {
	case r.full <- struct{}{}:
	default:
	}
}

// refused is what is kept of a request: what is told of in the log, too.
func refused(q *Request) *ent.RefusedRequest {
	method := q.Method
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
	default:
		method = "other" // a word of the client's, of any length
	}
	return &ent.RefusedRequest{
		ID: uuid.Must(uuid.NewV7()), WorkspaceID: q.Workspace, KeyID: q.Key, At: q.At.UTC().Truncate(time.Millisecond),
		Status: int16(q.Status), Code: q.Code, Method: method, Route: q.Route, RequestID: q.ID,
	}
}

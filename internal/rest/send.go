package rest

import (
	"context"
	"math"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"
)

// Hold lets an answer of so many bytes stay in memory until its client has read it. It
// returns what must be called when it has, or why it may not.
type Hold func(ctx context.Context, bytes int) (release func(), err error)

const (
	smallAnswer = 64 << 10 // bytes of one that is held without asking
	largeAnswer = 1 << 20  // bytes of one that is not made without asking
)

// send answers with what was read, and changed nothing: it can be asked for again.
func (e endpoints[T, I]) send(c *gin.Context, body []byte) {
	if len(body) > smallAnswer {
		release, err := e.bounds.Hold(c.Request.Context(), len(body))
		if err != nil {
			Fail(c, err)
			return
		}
		defer release()
	}
	Respond(c, http.StatusOK, body)
}

// sendList answers with a page. A large one is measured first, and made in one piece.
func (e endpoints[T, I]) sendList(c *gin.Context, records []T, page Page, count int) {
	body, whole := appendList(nil, records, page, count, e.calls.Append, largeAnswer)
	if whole {
		e.send(c, body)
		return
	}
	size := sizeOf(records, e.calls.Append)
	release, err := e.bounds.Hold(c.Request.Context(), size)
	if err != nil {
		Fail(c, err)
		return
	}
	defer release()
	body, _ = appendList(make([]byte, 0, size), records, page, count, e.calls.Append, math.MaxInt)
	Respond(c, http.StatusOK, body)
}

// sizeOf is how many bytes a page of the records takes.
func sizeOf[T any](records []T, appendRecord func([]byte, T) []byte) int {
	const around = 100 // what is not records
	size := around
	var one []byte
	for _, r := range records {
		one = appendRecord(one[:0], r)
		size += len(one) + len(",")
	}
	return size
}

// mostRoom bounds what is set aside for a page by the size of its first record,
// which alone may be large.
const mostRoom = 128 << 10

// appendList appends a page, if it has no more than most bytes.
func appendList[T any](b []byte, records []T, page Page, count int, appendRecord func([]byte, T) []byte, most int) (_ []byte, whole bool) {
	b = append(b, `{"data":[`...)
	for i, r := range records {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendRecord(b, r)
		if len(b) > most {
			return nil, false
		}
		if i == 0 { // most records are much of a size
			b = slices.Grow(b, min(len(b)*len(records), mostRoom))
		}
	}
	b = append(b, `],"limit":`...)
	b = appendInt(b, page.Limit)
	b = append(b, `,"offset":`...)
	b = appendInt(b, page.Offset)
	b = append(b, `,"count":`...)
	b = appendInt(b, count)
	return append(b, '}'), true
}

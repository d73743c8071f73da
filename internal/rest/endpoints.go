package rest

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"

	"records/internal/scalar"
)

// endpoints are the five operations of one resource (API document, part 4).
type endpoints[T Record, I Input] struct {
	resource[T, I]
	all    Resources
	bounds Bounds
}

// list answers GET /<resource>.
func (e endpoints[T, I]) list(c *gin.Context) {
	page, err := ParsePage(c.Request.URL.RawQuery)
	if err != nil {
		Fail(c, err)
		return
	}
	var count int
	records, ok := work(e, c, func(ctx context.Context) (records []T, err error) {
		records, count, err = e.pageAndCount(ctx, page)
		return records, err
	})
	if ok {
		e.sendList(c, records, page, count)
	}
}

// get answers GET /<resource>/{id}.
func (e endpoints[T, I]) get(c *gin.Context) {
	if err := NoQuery(c.Request.URL.RawQuery); err != nil {
		Fail(c, err)
		return
	}
	id, err := scalar.ParseUUID(pathID(c))
	if err != nil {
		Fail(c, NotFound())
		return
	}
	record, ok := work(e, c, func(ctx context.Context) (T, error) { return e.read(ctx, id) })
	if ok {
		e.send(c, e.calls.Append(make([]byte, 0, recordRoom), record))
	}
}

// create answers POST /<resource>.
func (e endpoints[T, I]) create(c *gin.Context) {
	in, _, err := e.body(c, true, "application/json")
	if err != nil {
		Fail(c, err)
		return
	}
	record, ok := work(e, c, func(ctx context.Context) ([]byte, error) { return e.resource.create(ctx, e.all, in) })
	if ok {
		c.Header("Location", location(c, record))
		Respond(c, http.StatusCreated, record)
	}
}

// update answers PATCH /<resource>/{id}, by RFC 7396 on the top level.
func (e endpoints[T, I]) update(c *gin.Context) {
	in, changes, err := e.body(c, false, "application/json", "application/merge-patch+json")
	if err != nil {
		Fail(c, err)
		return
	}
	id, err := scalar.ParseUUID(pathID(c))
	if err != nil {
		Fail(c, NotFound())
		return
	}
	record, ok := work(e, c, func(ctx context.Context) (T, error) { return e.change(ctx, id, in, changes) })
	if ok {
		Respond(c, http.StatusOK, e.calls.Append(make([]byte, 0, recordRoom), record))
	}
}

// change updates a record, if there is anything to change, and returns it as it
// now is.
func (e endpoints[T, I]) change(ctx context.Context, id uuid.UUID, in I, changes bool) (record T, err error) {
	if !changes {
		return e.read(ctx, id)
	}
	if err := e.checkImmutable(ctx, id, in); err != nil {
		return record, err
	}
	record, err = theOne(checked(ctx, e.all, in, func() ([]T, error) { return e.calls.Update(ctx, id, in) }))
	return record, e.spec.ruled(err)
}

// read returns a record.
func (r resource[T, I]) read(ctx context.Context, id uuid.UUID) (T, error) {
	return theOne(r.calls.Get(ctx, id))
}

// theOne returns the record that there is, or NotFound.
func theOne[T any](records []T, err error) (one T, _ error) {
	if err == nil && len(records) == 0 {
		err = NotFound()
	}
	if err != nil {
		return one, err
	}
	return records[0], nil
}

// delete answers DELETE /<resource>/{id}. It knows no 404: an absent record, a
// malformed id and another workspace's record are all deleted: false.
func (e endpoints[T, I]) delete(c *gin.Context) {
	if err := NoQuery(c.Request.URL.RawQuery); err != nil {
		Fail(c, err)
		return
	}
	id, err := scalar.ParseUUID(pathID(c))
	if err != nil {
		Respond(c, http.StatusOK, appendDeleted(nil, pathID(c), false))
		return
	}
	n, ok := work(e, c, func(ctx context.Context) (int, error) { return e.calls.Delete(ctx, id) })
	if ok {
		Respond(c, http.StatusOK, appendDeleted(nil, id.String(), n > 0))
	}
}

// body reads and decodes the body of a write: first what HTTP says of it (413,
// 415), then the query, then what is in it (400).
func (e endpoints[T, I]) body(c *gin.Context, create bool, types ...string) (in I, changes bool, err error) {
	raw, err := readBody(c, types...)
	if err != nil {
		return in, false, err
	}
	if err := NoQuery(c.Request.URL.RawQuery); err != nil {
		return in, false, err
	}
	in = e.calls.NewInput()
	changes, err = Decode(raw, in, create)
	return in, changes, err
}

// work does what a request needs the database for, within its bounds, and answers a
// failure. It begins when the body is there and ends before the answer is sent, so
// that no slow client holds a place.
func work[R any, T Record, I Input](e endpoints[T, I], c *gin.Context, do func(context.Context) (R, error)) (result R, ok bool) {
	ctx, done, err := e.bounds.Begin(c.Request.Context(), e.spec.Plural, c.Request.Method)
	if err == nil {
		result, err = func() (R, error) {
			defer done() // also if it panics
			return do(ctx)
		}()
	}
	if err != nil {
		Fail(c, err)
	}
	return result, err == nil
}

// pathID is the id in the path, decoded. The router matches the path as it was
// sent, so that no escape reaches another route.
func pathID(c *gin.Context) string {
	id := c.Param("id")
	if decoded, err := url.PathUnescape(id); err == nil {
		return decoded
	}
	return id
}

// location is the path of a record that was just created under this one.
func location(c *gin.Context, record []byte) string {
	const before = `{"id":"`
	id := record[len(before) : len(before)+len(uuid.Nil.String())]
	return strings.TrimSuffix(c.Request.URL.Path, "/") + "/" + string(id)
}

// recordRoom is set aside for a record, as most need no more.
const recordRoom = 512

func appendDeleted(b []byte, id string, deleted bool) []byte {
	b = append(b, `{"id":`...)
	b = AppendText(b, id)
	if deleted {
		return append(b, `,"deleted":true}`...)
	}
	return append(b, `,"deleted":false}`...)
}

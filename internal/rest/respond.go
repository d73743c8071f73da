package rest

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"
)

// retryAfter is what a 503 asks a client to wait, in seconds.
const retryAfter = "1"

// contentType of every answer. JSON is UTF-8 by definition (RFC 8259).
const contentType = "application/json"

// Respond writes a JSON answer. For HEAD too: net/http leaves the body out, and
// the headers are those of GET, compression included.
func Respond(c *gin.Context, status int, body []byte) {
	h := c.Writer.Header()
	h.Set("Content-Type", contentType)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	c.Writer.WriteHeader(status)
	_, _ = c.Writer.Write(body) // the client is gone: nothing is left to tell it
}

// Fail answers a failed request with exactly { error, message }, and leaves the
// cause with the request's log line.
func Fail(c *gin.Context, err error) {
	e := AsError(err)
	_ = c.Error(e)
	c.Abort()
	status := e.Status
	if status == StatusClientGone {
		status = http.StatusServiceUnavailable
	}
	if status == http.StatusServiceUnavailable {
		c.Header("Retry-After", retryAfter)
	}
	Respond(c, status, appendError(nil, e))
}

// Status is that of an answer as the log tells it.
func Status(c *gin.Context) int {
	if last := c.Errors.Last(); last != nil && AsError(last.Err).Status == StatusClientGone {
		return StatusClientGone
	}
	return c.Writer.Status()
}

// Body503 is the body of a 503 to who cannot be let in, for want of a request.
func Body503(message string) []byte {
	return appendError(nil, &Error{Code: CodeUnavailable, Message: message})
}

func appendError(b []byte, e *Error) []byte {
	b = append(b, `{"error":`...)
	b = AppendText(b, e.Code)
	b = append(b, `,"message":`...)
	b = AppendText(b, e.Message)
	return append(b, '}')
}

// AppendText appends a JSON string. What stands in the text comes back as it
// went in: <, > and & are not escaped.
func AppendText(b []byte, s string) []byte {
	b, _ = jsontext.AppendQuote(b, s) // on invalid UTF-8 it puts U+FFFD in, as it should
	return b
}

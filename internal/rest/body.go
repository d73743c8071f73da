package rest

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// MaxBody is the largest body that is read, in bytes.
const MaxBody = 1 << 20

// readBody reads a body of at most MaxBody bytes, whose media type is one of
// types. Its errors are 413, 415, and 408 where the body did not arrive in the
// time that the server gives it.
func readBody(c *gin.Context, types ...string) ([]byte, error) {
	r := c.Request
	if r.ContentLength > MaxBody {
		return nil, tooLarge()
	}
	if err := checkMediaType(r.Header, types); err != nil {
		return nil, err
	}
	body, err := io.ReadAll(http.MaxBytesReader(c.Writer, r.Body, MaxBody))
	var large *http.MaxBytesError
	switch {
	case err == nil:
		return body, nil
	case errors.As(err, &large):
		return nil, tooLarge()
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.Header("Connection", "close")
		return nil, &Error{http.StatusRequestTimeout, CodeRequestTimeout, "The body did not arrive in time.", err}
	default:
		return nil, &Error{http.StatusBadRequest, CodeInvalidJSON, "The body did not arrive whole.", err}
	}
}

func checkMediaType(h http.Header, types []string) error {
	given := h.Values("Content-Type")
	if len(given) != 1 {
		return unsupported("Send the body with one header Content-Type: application/json.")
	}
	if t, _, err := mime.ParseMediaType(given[0]); err != nil || !slices.Contains(types, t) {
		return unsupported("Send the body as Content-Type: application/json.")
	}
	for _, encoding := range h.Values("Content-Encoding") {
		if encoding != "" && !strings.EqualFold(encoding, "identity") {
			return unsupported("Send the body without a Content-Encoding.")
		}
	}
	return nil
}

func tooLarge() *Error {
	return &Error{Status: http.StatusRequestEntityTooLarge, Code: CodePayloadTooLarge, Message: "The body is larger than 1 MiB."}
}

func unsupported(message string) *Error {
	return &Error{Status: http.StatusUnsupportedMediaType, Code: CodeUnsupportedMedia, Message: message}
}

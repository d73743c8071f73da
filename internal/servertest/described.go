package servertest

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/klauspost/compress/zstd"

	"records/ent/rest"
	"records/internal/server"
)

// Description reads the API's description, once in a process.
var Description = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(rest.OpenAPI)
})

// Described fails the test unless the answer to a request is one that the API's
// description tells of: this status, these headers, this body, and no member
// that the schema does not name. target is the path as it was sent.
func Described(t testing.TB, method, target string, r Response) {
	t.Helper()
	path, ok := strings.CutPrefix(target, server.Base)
	path, _, _ = strings.Cut(path, "?")
	if !ok || (path != "" && path[0] != '/') || plain(r) {
		return
	}
	document, err := Description()
	if err != nil {
		t.Fatal(err)
	}
	if err := described(document, method, path, r); err != nil {
		t.Errorf("the description does not tell of the answer to %s %s: %v\n%d %v\n%.2000s", method, target, err, r.Status, r.Header, r.Body)
	}
}

// plain is an answer that HTTP itself asked for, which may be plain text, or an
// interim one.
func plain(r Response) bool {
	switch r.Status {
	case http.StatusContinue:
		return true
	case http.StatusBadRequest, http.StatusRequestHeaderFieldsTooLarge, http.StatusNotImplemented, http.StatusHTTPVersionNotSupported:
		return strings.HasPrefix(r.Header.Get("Content-Type"), "text/plain")
	}
	return false
}

func described(document *openapi3.T, method, path string, r Response) error {
	item := find(document, path)
	if item == nil {
		return isOther(document, r, method == http.MethodHead)
	}
	if method == http.MethodOptions && r.Status == http.StatusNoContent {
		return allows(item, r)
	}
	described := method
	if method == http.MethodHead {
		described = http.MethodGet
	}
	operation := item.Operations()[described]
	if operation == nil {
		if r.Status == http.StatusMethodNotAllowed {
			if err := allows(item, r); err != nil {
				return err
			}
		}
		return isOther(document, r, false)
	}
	if operation.Responses.Status(r.Status) == nil {
		return errors.New("it has no such status")
	}
	return matches(operation, r, method == http.MethodHead)
}

// find returns the path as the description has it. A single slash at the end is
// as none.
func find(document *openapi3.T, path string) *openapi3.PathItem {
	given := strings.Split(strings.TrimSuffix(path, "/"), "/")
	for template, item := range document.Paths.Map() {
		parts := strings.Split(template, "/")
		if slices.EqualFunc(parts, given, func(part, segment string) bool {
			return part == segment || (strings.HasPrefix(part, "{") && segment != "")
		}) {
			return item
		}
	}
	return nil
}

// allows holds the Allow header against the methods that are described.
func allows(item *openapi3.PathItem, r Response) error {
	methods := []string{http.MethodOptions}
	for method := range item.Operations() {
		if methods = append(methods, method); method == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	slices.Sort(methods)
	if want := strings.Join(methods, ", "); r.Header.Get("Allow") != want {
		return fmt.Errorf("the methods should be %q", want)
	}
	return nil
}

// isOther holds a failure that belongs to no operation against the one that all
// operations refer to.
func isOther(document *openapi3.T, r Response, head bool) error {
	if r.Status < http.StatusBadRequest {
		return errors.New("nothing is described here, and it succeeded")
	}
	other := openapi3.NewOperation()
	other.Responses = openapi3.NewResponses(openapi3.WithName("default", document.Components.Responses["Other"].Value))
	return matches(other, r, head)
}

// matches holds headers and body against what the operation says of the status.
func matches(operation *openapi3.Operation, r Response, head bool) error {
	request := &http.Request{Method: http.MethodGet}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: request, Route: route(operation)},
		Status:                 r.Status,
		Header:                 r.Header,
		Options:                &openapi3filter.Options{IncludeResponseStatus: true, ExcludeResponseBody: head},
	}
	if head {
		return openapi3filter.ValidateResponse(request.Context(), input)
	}
	body, err := decompressed(r)
	if err != nil {
		return err
	}
	input.SetBodyBytes(body)
	if err := openapi3filter.ValidateResponse(request.Context(), input); err != nil {
		return err
	}
	return closed(operation, r.Status, body)
}

func decompressed(r Response) ([]byte, error) {
	var z io.Reader
	var err error
	switch r.Header.Get("Content-Encoding") {
	case "gzip":
		z, err = gzip.NewReader(bytes.NewReader(r.Body))
	case "zstd":
		z, err = zstd.NewReader(bytes.NewReader(r.Body), zstd.WithDecoderConcurrency(1)) // leaves nothing running
	default:
		return r.Body, nil
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

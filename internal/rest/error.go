package rest

import (
	"context"
	"errors"
	"net/http"

	"records/ent"
	"records/internal/database"
)

// Codes of errors, as the API document (part 7) and the product's decisions
// name them. Codes are only ever added.
const (
	CodeInvalidJSON        = "invalid_json"
	CodeInvalidParameter   = "invalid_parameter"
	CodeValidationFailed   = "validation_failed"
	CodeInvalidReference   = "invalid_reference"
	CodeUnauthorized       = "unauthorized"
	CodeReadOnlyKey        = "read_only_key"
	CodeNotFound           = "not_found"
	CodeMethodNotAllowed   = "method_not_allowed"
	CodeConflict           = "conflict"
	CodeRequestTimeout     = "request_timeout"
	CodePayloadTooLarge    = "payload_too_large"
	CodeUnsupportedMedia   = "unsupported_media_type"
	CodeRateLimited        = "rate_limited"
	CodeInternal           = "internal_error"
	CodeUnavailable        = "unavailable"
	messageInternal        = "Something went wrong on our side. It has been logged under the request id."
	messageUnavailable     = "The service cannot reach its database or is overloaded. Try again shortly."
	messageOutcomeUnknown  = "The connection to the database was lost. The write may have taken effect: check before you repeat it."
	messageRecordNotFound  = "There is no such record in this workspace."
	messageClientGone      = "The connection was closed on your side before the answer was there. A write may have taken effect: check before you repeat it."
	messageNoSuchReference = "A field refers to no record of this workspace."
	messageConflict        = "Another record of this workspace has the same value where values must differ."
)

// StatusClientGone stands in the log where the client closed the connection. It is never
// sent: most often nobody reads the answer, and who closed only their own half gets 503.
const StatusClientGone = 499

// Error is a failed request: what the client is told, and what is logged.
type Error struct {
	Status  int
	Code    string
	Message string
	Cause   error // for the log alone
}

// Error implements error.
func (e *Error) Error() string {
	if e.Cause != nil {
		return e.Code + ": " + e.Cause.Error()
	}
	return e.Code + ": " + e.Message
}

// Unwrap returns what caused the error, if it is known.
func (e *Error) Unwrap() error { return e.Cause }

// BadRequest is a 400 with the code.
func BadRequest(code, message string) *Error {
	return &Error{Status: http.StatusBadRequest, Code: code, Message: message}
}

// NotFound is the 404 of a record. It is one and the same for a record that
// does not exist and for one of another workspace.
func NotFound() *Error {
	return &Error{Status: http.StatusNotFound, Code: CodeNotFound, Message: messageRecordNotFound}
}

func invalidJSON(message string) *Error { return BadRequest(CodeInvalidJSON, message) }

// AsError turns any error into what the client is told. What it does not know
// is a fault of ours, and says nothing of its inside.
func AsError(err error) *Error {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e
	case ent.IsNotFound(err):
		return NotFound()
	case errors.Is(err, context.Canceled):
		return &Error{StatusClientGone, CodeUnavailable, messageClientGone, err}
	case errors.Is(err, database.ErrOutcomeUnknown):
		return &Error{http.StatusServiceUnavailable, CodeUnavailable, messageOutcomeUnknown, err}
	case database.IsUnavailable(err):
		return &Error{http.StatusServiceUnavailable, CodeUnavailable, messageUnavailable, err}
	case database.IsForeignKeyViolation(err):
		return &Error{http.StatusBadRequest, CodeInvalidReference, messageNoSuchReference, err}
	case database.IsUniqueViolation(err):
		return &Error{http.StatusConflict, CodeConflict, messageConflict, err}
	default:
		return &Error{http.StatusInternalServerError, CodeInternal, messageInternal, err}
	}
}

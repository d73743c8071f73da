package restgen

import (
	"fmt"
	"slices"
	"strings"
)

// failure is one way for requests to fail, as clients see it. A test provokes
// each of them and compares code and message.
type failure struct {
	status   string
	name     string // of the response and, with Error behind it, of its schema
	about    string
	headers  []string // beside those of every answer
	examples []failureExample
	own      bool // its examples are those of one operation
}

type failureExample struct{ name, code, message string }

// failure describes a failure where an operation lists it.
func (d *description) failure(f failure) object {
	schema := f.name + "Error"
	if f.status == "default" {
		schema = "Error"
	}
	d.claim(schema, api)
	if d.schemas[schema] == nil || !f.own {
		d.schemas[schema] = errorSchema(f)
	}
	h := d.standardHeaders()
	for _, name := range f.headers {
		h[name] = d.header(name)
	}
	examples := object{}
	for _, e := range f.examples {
		examples[e.name] = object{"summary": e.message, "value": ordered{{"error", e.code}, {"message", e.message}}}
	}
	response := object{
		"description": f.about, "headers": h,
		"content": object{"application/json": object{"schema": ref("schemas/" + schema), "examples": examples}},
	}
	if f.own {
		return response
	}
	d.claim(f.name, api)
	d.responses[f.name] = response
	return ref("responses/" + f.name)
}

// errorSchema is { error, message } with the codes of the failure. The default
// one takes any code: codes are added over time.
func errorSchema(f failure) object {
	code := object{"type": "string", "description": "A short code, for programs."}
	var codes []string
	for _, e := range f.examples {
		if !slices.Contains(codes, e.code) {
			codes = append(codes, e.code)
		}
	}
	if f.status != "default" {
		code["enum"] = codes
	}
	return object{
		"type": "object", "description": f.about,
		"properties": ordered{
			{"error", code},
			{"message", object{"type": "string", "minLength": 1, "description": "A plain sentence, for people. Its wording may change."}},
		},
		"required": []string{"error", "message"},
	}
}

var (
	unauthorized = failure{status: "401", name: "Unauthorized", about: "The key is missing, malformed, unknown, revoked or expired.", headers: []string{"WWW-Authenticate"},
		examples: []failureExample{{"unauthorized", "unauthorized", "Send a valid API key as Authorization: Bearer <API_KEY>."}}}
	readOnlyKey = failure{status: "403", name: "ReadOnlyKey", about: "The key may only read.",
		examples: []failureExample{{"read_only_key", "read_only_key", "This key may only read."}}}
	notFound = failure{status: "404", name: "NotFound", about: "There is no such record in this workspace.",
		examples: []failureExample{{"not_found", "not_found", "There is no such record in this workspace."}}}
	requestTimeout = failure{status: "408", name: "RequestTimeout", about: "The body did not arrive in time. The connection is closed.",
		examples: []failureExample{{"request_timeout", "request_timeout", "The body did not arrive in time."}}}
	conflict = failure{status: "409", name: "Conflict", about: "Another record of the workspace has a value that must differ.",
		examples: []failureExample{{"conflict", "conflict", "Another record of this workspace has the same value where values must differ."}}}
	payloadTooLarge = failure{status: "413", name: "PayloadTooLarge", about: "The body is too large.",
		examples: []failureExample{{"payload_too_large", "payload_too_large", "The body is larger than 1 MiB."}}}
	unsupportedMedia = failure{status: "415", name: "UnsupportedMediaType", about: "The body has another content type, or it is encoded.",
		examples: []failureExample{{"unsupported_media_type", "unsupported_media_type", "Send the body as Content-Type: application/json."}}}
	rateLimited = failure{status: "429", name: "RateLimited", about: "A ceiling is reached: that of the key or that of the address.", headers: []string{"Retry-After"},
		examples: []failureExample{
			{"key", "rate_limited", "The ceiling of 600 requests per minute for this API key is reached."},
			isAddressLimited,
		}}
	// addressLimited is that of an operation that needs no key.
	addressLimited = failure{status: "429", name: "RateLimited", about: "The ceiling of the address is reached.", headers: []string{"Retry-After"}, own: true,
		examples: []failureExample{isAddressLimited}}
	internalError = failure{status: "500", name: "Internal", about: "A fault of ours.",
		examples: []failureExample{{"internal_error", "internal_error", "Something went wrong on our side. It has been logged under the request id."}}}
	unavailable = failure{status: "503", name: "Unavailable", about: "The database cannot be reached, or the server is overloaded.", headers: []string{"Retry-After"},
		examples: []failureExample{isUnavailable}}
	writeUnavailable = failure{status: "503", name: "WriteUnavailable", about: "The database cannot be reached, or the server is overloaded. The message says whether the write may have taken effect.", headers: []string{"Retry-After"},
		examples: []failureExample{isUnavailable, {"outcome_unknown", "unavailable", "The connection to the database was lost. The write may have taken effect: check before you repeat it."}}}
	// otherFailure is what the API answers beside the failures of an operation:
	// to another path, to another method, and what later versions add.
	otherFailure = failure{status: "default", name: "Other", about: "Any other failure. Judge it by its status.", headers: []string{"Allow"},
		examples: []failureExample{
			{"no_such_path", "not_found", "There is nothing at this path."},
			{"method_not_allowed", "method_not_allowed", "This path does not take that method; see the Allow header."},
		}}
)

var isAddressLimited = failureExample{"ip", "rate_limited", "The ceiling of 1200 requests per minute for this IP address is reached."}

var isUnavailable = failureExample{"unavailable", "unavailable", "The service cannot reach its database or is overloaded. Try again shortly."}

// Messages of faults in the query string.
const (
	noParameters = `"expand" is not a known query parameter; this operation takes none.`
	badLimit     = "limit must be an integer from 1 to 200."
)

func invalidParameter(message string) failure {
	return failure{status: "400", name: "InvalidParameter", about: "Something is wrong with the query string.", own: true,
		examples: []failureExample{{"invalid_parameter", "invalid_parameter", message}}}
}

// invalidBody is the 400 of a create or an update of a resource, with messages
// that it really gets.
func invalidBody(r resource, create bool) failure {
	f := failure{status: "400", name: "InvalidBody", about: "Something is wrong with the query string or with the body.", own: true,
		examples: []failureExample{
			{"invalid_json", "invalid_json", "The body is empty; send one JSON object."},
			{"invalid_parameter", "invalid_parameter", noParameters},
			{"validation_failed", "validation_failed", missing(r, create)},
		}}
	for _, ref := range r.References() {
		if create || !ref.Immutable {
			f.name = "InvalidBodyOrReference"
			f.examples = append(f.examples, failureExample{"invalid_reference", "invalid_reference", ref.Name + " refers to no record of this workspace."})
			break
		}
	}
	return f
}

// missing is the message for a create of {}, or for an update that sets the first
// required field to null. Where nothing is required, it is the one for the name
// of the first field with an underscore behind it.
func missing(r resource, create bool) string {
	var told []string
	fields := r.accepted(create)
	for _, f := range fields {
		if f.Required && create {
			told = append(told, f.Name+" is required")
		} else if f.Required && !f.Immutable && told == nil {
			told = []string{f.Name + " must not be null"}
		}
	}
	if told == nil {
		nearest := ""
		if len(fields) > 0 {
			nearest = fields[0].Name
		}
		told = []string{fmt.Sprintf("%q is not a known field; the nearest is %q", nearest+"_", nearest)}
	}
	return strings.Join(told, "; ") + "."
}

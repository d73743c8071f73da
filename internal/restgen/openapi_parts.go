package restgen

import "encoding/json"

// parameter refers to a parameter, and adds it to the components.
func (d *description) parameter(name string) object {
	d.claim(name, api)
	d.parameters[name] = map[string]object{
		"PageLimit": {"name": "limit", "in": "query", "description": "How many records at most. Nothing is clamped: what is out of range is refused.",
			"schema": object{"type": "integer", "format": "int32", "minimum": 1, "maximum": 200, "default": 50}, "example": 50},
		"PageOffset": {"name": "offset", "in": "query", "description": "How many records to pass over.",
			"schema": object{"type": "integer", "format": "int64", "minimum": 0, "maximum": mostOffset, "default": 0}, "example": 0},
		"RecordId": {"name": "id", "in": "path", "required": true, "description": "The id of the record.",
			"schema": object{"type": "string", "minLength": 1}, "example": exampleID("record")},
	}[name]
	return ref("parameters/" + name)
}

// mostOffset is 2^63−1.
var mostOffset = json.RawMessage("9223372036854775807")

// header refers to a header of answers, and adds it to the components.
func (d *description) header(name string) object {
	id := joined(name)
	d.headers[id] = headers[name]
	return ref("headers/" + id)
}

func (d *description) standardHeaders() object {
	out := object{}
	for _, name := range []string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "RateLimit-Policy", "RateLimit"} {
		out[name] = d.header(name)
	}
	return out
}

// headers are all that answers have beside those of HTTP itself. One that is
// required is always there; the ceilings' are there while a ceiling is on.
var headers = map[string]object{
	"Location": {"description": "The path of the new record.", "required": true,
		"schema": object{"type": "string", "format": "uri-reference"}, "example": "/api/v1/records/" + exampleID("record")},
	"Allow": {"description": "With 405: the methods that the path takes.",
		"schema": object{"type": "string"}, "example": "GET, HEAD, OPTIONS"},
	"WWW-Authenticate": {"description": "How to authenticate.", "required": true,
		"schema": object{"type": "string", "const": "Bearer"}, "example": "Bearer"},
	"Retry-After": {"description": "Whole seconds to wait before the next try.", "required": true,
		"schema": object{"type": "integer", "format": "int32", "minimum": 1}, "example": 1},
	"X-Request-Id": {"description": "The id of the request: the one that it came with, or a new one. Quote it when you ask for help.", "required": true,
		"schema": object{"type": "string", "minLength": 1, "maxLength": 128, "pattern": "^[A-Za-z0-9._:/+=@-]+$"}, "example": exampleID("request")},
	"X-RateLimit-Limit": {"description": "The tighter of the two ceilings, the one with fewer requests left, in requests a minute.",
		"schema": object{"type": "integer", "format": "int64", "minimum": 1}, "example": 600},
	"X-RateLimit-Remaining": {"description": "How many requests are left of it.",
		"schema": object{"type": "integer", "format": "int64", "minimum": 0}, "example": 599},
	"X-RateLimit-Reset": {"description": "Seconds until it is whole again.",
		"schema": object{"type": "integer", "format": "int64", "minimum": 1}, "example": 60},
	"RateLimit-Policy": {"description": "Each ceiling, as in draft-ietf-httpapi-ratelimit-headers-10: `q` requests in `w` seconds.",
		"schema": object{"type": "string"}, "example": `"key";q=600;w=60, "ip";q=1200;w=60`},
	"RateLimit": {"description": "Where the caller stands on each, as in the same draft: `r` requests left, `t` seconds until it is whole again.",
		"schema": object{"type": "string"}, "example": `"key";r=599;t=60, "ip";r=1199;t=60`},
}

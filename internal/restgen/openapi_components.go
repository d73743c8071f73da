package restgen

import (
	"strconv"
	"strings"
)

func errorSchema() object {
	return object{
		"type":       "object",
		"properties": object{"error": object{"type": "string", "description": "A short code."}, "message": object{"type": "string", "description": "A plain sentence."}},
		"required":   []string{"error", "message"},
	}
}

func deletedSchema() object {
	return object{
		"type":       "object",
		"properties": object{"id": object{"type": "string"}, "deleted": object{"type": "boolean"}},
		"required":   []string{"id", "deleted"},
	}
}

func parameters() object {
	return object{
		"limit": object{"name": "limit", "in": "query", "description": "How many records at most.",
			"schema": object{"type": "integer", "minimum": 1, "maximum": 200, "default": 50}},
		"offset": object{"name": "offset", "in": "query", "description": "How many records to pass over.",
			"schema": object{"type": "integer", "format": "int64", "minimum": 0, "default": 0}},
		"id": object{"name": "id", "in": "path", "required": true, "description": "The id of the record.", "schema": object{"type": "string"}},
	}
}

func headers() object {
	integer, text := object{"type": "integer"}, object{"type": "string"}
	return object{
		"Location":              object{"description": "The path of the new record.", "schema": text},
		"Retry-After":           object{"description": "Seconds to wait before the next try.", "schema": integer},
		"X-Request-Id":          object{"description": "The id of the request, for support.", "schema": text},
		"X-RateLimit-Limit":     object{"description": "The tighter of the two ceilings, in requests a minute.", "schema": integer},
		"X-RateLimit-Remaining": object{"description": "What is left of it.", "schema": integer},
		"X-RateLimit-Reset":     object{"description": "Seconds until it is full again.", "schema": integer},
	}
}

func standardHeaders() object {
	out := object{}
	for _, name := range []string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		out[name] = ref("headers/" + name)
	}
	return out
}

// responses are the errors, by status; each tells its codes.
func responses() object {
	codes := map[int][]string{
		400: {"invalid_json", "invalid_parameter", "validation_failed", "invalid_reference"},
		401: {"unauthorized"}, 403: {"read_only_key"}, 404: {"not_found"}, 408: {"request_timeout"}, 409: {"conflict"},
		413: {"payload_too_large"}, 415: {"unsupported_media_type"}, 429: {"rate_limited"},
		500: {"internal_error"}, 503: {"unavailable"},
	}
	out := object{}
	for status, names := range codes {
		h := standardHeaders()
		if status == 429 || status == 503 {
			h["Retry-After"] = ref("headers/Retry-After")
		}
		out[strconv.Itoa(status)] = object{
			"description": "`error` is " + strings.Join(names, ", ") + ".",
			"headers":     h,
			"content":     object{"application/json": object{"schema": ref("schemas/Error")}},
		}
	}
	return out
}

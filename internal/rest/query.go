package rest

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
)

// Page is the part of a list that a client asks for.
type Page struct {
	Limit  int // 1 to MaxLimit
	Offset int // 0 to 2^63−1
}

// Bounds of a page (API document, part 8).
const (
	DefaultLimit = 50
	MaxLimit     = 200
)

const maxInt64 = 1<<63 - 1

// ParsePage reads limit and offset. Nothing is clamped: what is out of range,
// repeated, empty or not an integer of the form 0|[1-9][0-9]* is an error.
func ParsePage(rawQuery string) (Page, error) {
	q, err := parseQuery(rawQuery, "limit", "offset")
	if err != nil {
		return Page{}, err
	}
	page := Page{Limit: DefaultLimit}
	if s, ok := q["limit"]; ok {
		if page.Limit, ok = parseInteger(s, 1, MaxLimit); !ok {
			return Page{}, invalidParameter("limit must be an integer from 1 to %d.", MaxLimit)
		}
	}
	if s, ok := q["offset"]; ok {
		if page.Offset, ok = parseInteger(s, 0, maxInt64); !ok {
			return Page{}, invalidParameter("offset must be an integer from 0 to %d.", maxInt64)
		}
	}
	return page, nil
}

// NoQuery refuses every query parameter, for operations that take none.
func NoQuery(rawQuery string) error {
	_, err := parseQuery(rawQuery)
	return err
}

// parseQuery returns the parameters of a query string, each given once and
// each of a known name.
func parseQuery(rawQuery string, known ...string) (map[string]string, error) {
	if rawQuery == "" {
		return nil, nil
	}
	values, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, invalidParameter("The query string is not well-formed.")
	}
	q := make(map[string]string, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) { // the same fault first, each time
		all := values[name]
		if !slices.Contains(known, name) {
			return nil, unknownParameter(name, known)
		}
		if len(all) > 1 {
			return nil, invalidParameter("%s is given more than once.", name)
		}
		q[name] = all[0]
	}
	return q, nil
}

func unknownParameter(name string, known []string) error {
	if len(known) == 0 {
		return invalidParameter("%s is not a known query parameter; this operation takes none.", quoted(name))
	}
	return invalidParameter("%s is not a known query parameter; there are limit and offset.", quoted(name))
}

// parseInteger reads 0|[1-9][0-9]* between least and most.
func parseInteger(s string, least, most int) (int, bool) {
	if s == "" || s[0] < '0' || s[0] > '9' || (s[0] == '0' && len(s) > 1) {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil && n >= least && n <= most
}

func invalidParameter(format string, args ...any) *Error {
	return BadRequest(CodeInvalidParameter, fmt.Sprintf(format, args...))
}

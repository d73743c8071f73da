package scalar

import (
	"errors"
	"regexp"
	"strings"
	"time"
)

var errNotTimestamp = errors.New("must be an RFC 3339 timestamp such as 2026-01-31T09:30:00Z")

// timestampForm is date-time of RFC 3339, section 5.6. The time package alone
// is more lenient: it takes 9:30, a comma before the fraction and offsets past
// 24 hours (go.dev/issue/54580).
var timestampForm = regexp.MustCompile(
	`^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// ParseTimestamp reads an RFC 3339 timestamp of any offset and returns it in
// UTC, with what is finer than a millisecond cut off. The year in UTC must be 1
// to 9999. A leap second (:60) is refused: neither database can keep one.
func ParseTimestamp(s string) (time.Time, error) {
	if !timestampForm.MatchString(s) {
		return time.Time{}, errNotTimestamp
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(s)) // RFC 3339 allows t and z
	if err != nil {
		return time.Time{}, errNotTimestamp
	}
	t = t.UTC().Truncate(time.Millisecond)
	if t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}, errNotTimestamp
	}
	return t, nil
}

// AppendTimestamp appends t as RFC 3339 in UTC with Z and exactly three digits
// of the second's fraction; finer ones are cut off, not rounded. Years outside
// 0 to 9999 have no such form, and their text is not RFC 3339.
func AppendTimestamp(b []byte, t time.Time) []byte {
	t = t.UTC()
	b = t.AppendFormat(b, time.RFC3339) // many times faster than a layout with a fraction
	b = append(b[:len(b)-len("Z")], '.')
	b = appendPadded(b, t.Nanosecond()/int(time.Millisecond), 3)
	return append(b, 'Z')
}

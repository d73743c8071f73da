package server

import (
	"net/http"
	"strconv"
	"time"
)

// writeHeaders tells a caller where it stands. X-RateLimit-Limit, -Remaining
// and -Reset (seconds) are of the tighter ceiling; RateLimit-Policy and
// RateLimit (draft-ietf-httpapi-ratelimit-headers-10) are of each. A ceiling
// that is off is left out; with none on there is no header.
func writeHeaders(h http.Header, stands ...stand) {
	var tighter stand
	policies, standings := make([]byte, 0, 64), make([]byte, 0, 64)
	for _, s := range stands {
		if s.off {
			continue
		}
		if len(policies) == 0 || s.tighterThan(tighter) {
			tighter = s
		}
		policies = appendNumber(appendNumber(appendName(policies, s.name), ";q=", s.limit), ";w=", int64(ceilingPeriod/time.Second))
		standings = appendNumber(appendNumber(appendName(standings, s.name), ";r=", s.remaining), ";t=", s.seconds())
	}
	if len(policies) == 0 {
		return
	}
	// Each name as http.Header keeps it, and one array for all values: these five
	// are half of the headers of an answer.
	values := []string{
		strconv.FormatInt(tighter.limit, 10), strconv.FormatInt(tighter.remaining, 10), strconv.FormatInt(tighter.seconds(), 10),
		string(policies), string(standings),
	}
	for i, name := range [...]string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Ratelimit-Policy", "Ratelimit"} {
		h[name] = values[i : i+1 : i+1]
	}
}

// appendName begins an item of a list, named by a string.
func appendName(b []byte, name string) []byte {
	if len(b) > 0 {
		b = append(b, ", "...)
	}
	return strconv.AppendQuote(b, name)
}

func appendNumber(b []byte, before string, n int64) []byte {
	return strconv.AppendInt(append(b, before...), n, 10)
}

// tighterThan tells which of two ceilings is felt first: the one with fewer
// requests left, or of two alike the one that lasts longer.
func (s stand) tighterThan(other stand) bool {
	if s.remaining != other.remaining {
		return s.remaining < other.remaining
	}
	return s.reset > other.reset
}

// seconds is the time until the window ends in whole seconds, rounded up, at
// least 1: a caller who waits so long is not too early.
func (s stand) seconds() int64 {
	return max(1, int64((s.reset+time.Second-1)/time.Second))
}

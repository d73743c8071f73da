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
	on := false
	for _, s := range stands {
		if !s.off && (!on || s.tighterThan(tighter)) {
			tighter, on = s, true
		}
	}
	if !on {
		return
	}
	// These five are half of the headers of an answer: one text and one array hold
	// all values, and the names are as http.Header keeps them.
	all, ends := make([]byte, 0, 128), [5]int{}
	for i, n := range []int64{tighter.limit, tighter.remaining, tighter.seconds()} {
		all = strconv.AppendInt(all, n, 10)
		ends[i] = len(all)
	}
	all = appendItems(all, stands, func(b []byte, s stand) []byte {
		return appendNumber(appendNumber(b, ";q=", s.limit), ";w=", int64(ceilingPeriod/time.Second))
	})
	ends[3] = len(all)
	all = appendItems(all, stands, func(b []byte, s stand) []byte {
		return appendNumber(appendNumber(b, ";r=", s.remaining), ";t=", s.seconds())
	})
	ends[4] = len(all)
	text, values, begin := string(all), make([]string, len(ends)), 0
	for i, name := range [...]string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Ratelimit-Policy", "Ratelimit"} {
		values[i] = text[begin:ends[i]]
		h[name] = values[i : i+1 : i+1]
		begin = ends[i]
	}
}

// appendItems appends a list with an item for each ceiling that is on, named by a
// string.
func appendItems(b []byte, stands []stand, parameters func([]byte, stand) []byte) []byte {
	begin := len(b)
	for _, s := range stands {
		if s.off {
			continue
		}
		if len(b) > begin {
			b = append(b, ", "...)
		}
		b = parameters(strconv.AppendQuote(b, s.name), s)
	}
	return b
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

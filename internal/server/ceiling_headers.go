package server

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// writeHeaders tells a caller where it stands. X-RateLimit-Limit, -Remaining
// and -Reset (seconds) are of the tighter ceiling; RateLimit-Policy and
// RateLimit (draft-ietf-httpapi-ratelimit-headers-10) are of each. A ceiling
// that is off is left out; with none on there is no header.
func writeHeaders(h http.Header, stands ...stand) {
	var tighter stand
	var policies, standings []string
	for _, s := range stands {
		if s.off {
			continue
		}
		if policies == nil || s.tighterThan(tighter) {
			tighter = s
		}
		policies = append(policies, fmt.Sprintf(`"%s";q=%d;w=%d`, s.name, s.limit, ceilingPeriod/time.Second))
		standings = append(standings, fmt.Sprintf(`"%s";r=%d;t=%d`, s.name, s.remaining, s.seconds()))
	}
	if policies == nil {
		return
	}
	h.Set("X-RateLimit-Limit", strconv.FormatInt(tighter.limit, 10))
	h.Set("X-RateLimit-Remaining", strconv.FormatInt(tighter.remaining, 10))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(tighter.seconds(), 10))
	h.Set("RateLimit-Policy", strings.Join(policies, ", "))
	h.Set("RateLimit", strings.Join(standings, ", "))
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

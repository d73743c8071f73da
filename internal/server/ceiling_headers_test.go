package server

import (
	"net/http"
	"testing"
	"time"
)

func TestWriteHeaders(t *testing.T) {
	key := stand{name: "key", limit: 600, remaining: 599, reset: time.Minute}
	ip := stand{name: "ip", limit: 1200, remaining: 1199, reset: 59*time.Second + 1}
	tight := stand{name: "ip", limit: 1200, remaining: 3, reset: 1500 * time.Millisecond}
	off := stand{name: "key", off: true}
	keyOut := stand{name: "key", limit: 600, reset: 5 * time.Second, reached: true}
	ipOut := stand{name: "ip", limit: 1200, reset: 9 * time.Second, reached: true}
	ending := stand{name: "ip", limit: 7, remaining: 7}

	for name, test := range map[string]struct {
		stands                                     []stand
		limit, remaining, reset, policy, standings string
	}{
		"both":                      {[]stand{key, ip}, "600", "599", "60", `"key";q=600;w=60, "ip";q=1200;w=60`, `"key";r=599;t=60, "ip";r=1199;t=60`},
		"the address is tighter":    {[]stand{key, tight}, "1200", "3", "2", `"key";q=600;w=60, "ip";q=1200;w=60`, `"key";r=599;t=60, "ip";r=3;t=2`},
		"one alone":                 {[]stand{tight}, "1200", "3", "2", `"ip";q=1200;w=60`, `"ip";r=3;t=2`},
		"one off":                   {[]stand{off, ip}, "1200", "1199", "60", `"ip";q=1200;w=60`, `"ip";r=1199;t=60`},
		"both out: the longer wait": {[]stand{keyOut, ipOut}, "1200", "0", "9", `"key";q=600;w=60, "ip";q=1200;w=60`, `"key";r=0;t=5, "ip";r=0;t=9`},
		"whichever comes first":     {[]stand{ipOut, keyOut}, "1200", "0", "9", `"ip";q=1200;w=60, "key";q=600;w=60`, `"ip";r=0;t=9, "key";r=0;t=5`},
		"never zero seconds":        {[]stand{ending}, "7", "7", "1", `"ip";q=7;w=60`, `"ip";r=7;t=1`},
		"both off":                  {[]stand{off, off}, "", "", "", "", ""},
		"none":                      {nil, "", "", "", "", ""},
	} {
		h := http.Header{}
		writeHeaders(h, test.stands...)
		for header, want := range map[string]string{
			"X-RateLimit-Limit": test.limit, "X-RateLimit-Remaining": test.remaining, "X-RateLimit-Reset": test.reset,
			"RateLimit-Policy": test.policy, "RateLimit": test.standings,
		} {
			if got := h.Get(header); got != want {
				t.Errorf("%s: %s: %q, want %q", name, header, got, want)
			}
		}
		if test.limit == "" && len(h) > 0 {
			t.Errorf("%s: %v", name, h)
		}
	}
}

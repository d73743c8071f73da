package server

import (
	"net/http"
	"net/netip"
	"strings"
	"testing"
)

func prefixes(texts ...string) []netip.Prefix {
	var all []netip.Prefix
	for _, text := range texts {
		all = append(all, netip.MustParsePrefix(text))
	}
	return all
}

func TestClientIP(t *testing.T) {
	trusted := prefixes("10.0.0.0/8", "2001:db8:1::/48", "fe80::/10")
	for name, test := range map[string]struct {
		remote  string
		lines   []string // of X-Forwarded-For
		trusted []netip.Prefix
		want    string
	}{
		"no proxy":                         {"192.0.2.1:9", nil, trusted, "192.0.2.1"},
		"untrusted peer forges":            {"192.0.2.1:9", []string{"198.51.100.1"}, trusted, "192.0.2.1"},
		"nobody trusted":                   {"10.0.0.1:9", []string{"198.51.100.1"}, nil, "10.0.0.1"},
		"one proxy":                        {"10.0.0.1:9", []string{"198.51.100.1"}, trusted, "198.51.100.1"},
		"forged entry to the left":         {"10.0.0.1:9", []string{"203.0.113.9, 198.51.100.1"}, trusted, "198.51.100.1"},
		"past trusted ones":                {"10.0.0.1:9", []string{"203.0.113.9, 198.51.100.1, 10.0.0.2,10.0.0.3"}, trusted, "198.51.100.1"},
		"all trusted: the leftmost":        {"10.0.0.1:9", []string{"10.0.0.4, 10.0.0.3"}, trusted, "10.0.0.4"},
		"several lines are one list":       {"10.0.0.1:9", []string{"203.0.113.9", "198.51.100.1, 10.0.0.2", "10.0.0.3"}, trusted, "198.51.100.1"},
		"no header behind a proxy":         {"10.0.0.1:9", nil, trusted, "10.0.0.1"},
		"rubbish: the peer":                {"10.0.0.1:9", []string{"198.51.100.1, unknown"}, trusted, "10.0.0.1"},
		"rubbish: the last good one":       {"10.0.0.1:9", []string{"198.51.100.1, unknown, 10.0.0.2"}, trusted, "10.0.0.2"},
		"rubbish left of it is not read":   {"10.0.0.1:9", []string{"unknown, 198.51.100.1"}, trusted, "198.51.100.1"},
		"empty entry":                      {"10.0.0.1:9", []string{"198.51.100.1,"}, trusted, "10.0.0.1"},
		"empty line":                       {"10.0.0.1:9", []string{""}, trusted, "10.0.0.1"},
		"empty line after a good one":      {"10.0.0.1:9", []string{"198.51.100.1", ""}, trusted, "10.0.0.1"},
		"empty entry at the left":          {"10.0.0.1:9", []string{",10.0.0.2"}, trusted, "10.0.0.2"},
		"a port is no address":             {"10.0.0.1:9", []string{"198.51.100.1:80"}, trusted, "10.0.0.1"},
		"brackets are no address":          {"10.0.0.1:9", []string{"[2001:db8::1]"}, trusted, "10.0.0.1"},
		"a leading zero is no address":     {"10.0.0.1:9", []string{"198.51.100.01"}, trusted, "10.0.0.1"},
		"spaces and tabs around":           {"10.0.0.1:9", []string{"\t 198.51.100.1 \t"}, trusted, "198.51.100.1"},
		"other white space is no address":  {"10.0.0.1:9", []string{"198.51.100.1\u00a0"}, trusted, "10.0.0.1"},
		"IPv6":                             {"[2001:db8:1::1]:9", []string{"2001:db8:2::1"}, trusted, "2001:db8:2::1"},
		"IPv4 in IPv6 as peer":             {"[::ffff:10.0.0.1]:9", []string{"198.51.100.1"}, trusted, "198.51.100.1"},
		"IPv4 in IPv6 as entry":            {"10.0.0.1:9", []string{"::ffff:198.51.100.1"}, trusted, "198.51.100.1"},
		"IPv4 in IPv6 as trusted entry":    {"10.0.0.1:9", []string{"198.51.100.1, ::ffff:10.0.0.2"}, trusted, "198.51.100.1"},
		"zone of the peer":                 {"[fe80::1%eth0]:9", []string{"198.51.100.1"}, trusted, "198.51.100.1"},
		"zone of an entry":                 {"10.0.0.1:9", []string{"2001:db8:2::1%x"}, trusted, "2001:db8:2::1"},
		"Unix socket":                      {"@", []string{"198.51.100.1"}, trusted, "invalid IP"},
		"Unix socket, everything trusted":  {"", []string{"198.51.100.1"}, prefixes("0.0.0.0/0", "::/0"), "invalid IP"},
		"everything trusted: the leftmost": {"192.0.2.1:9", []string{"198.51.100.1, 203.0.113.9"}, prefixes("0.0.0.0/0", "::/0"), "198.51.100.1"},
	} {
		r := &http.Request{RemoteAddr: test.remote, Header: http.Header{
			"X-Forwarded-For": test.lines,
			"X-Real-Ip":       {"203.0.113.77"},
			"Forwarded":       {"for=203.0.113.77"},
		}}
		if got := clientIP(r, test.trusted); got.String() != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}

// The longest header that is let in must not cost more than a walk through it.
func TestClientIPOfALongHeader(t *testing.T) {
	r := &http.Request{RemoteAddr: "10.0.0.1:9", Header: http.Header{
		"X-Forwarded-For": {"198.51.100.1" + strings.Repeat(",10.0.0.2", 7000)},
	}}
	if got := clientIP(r, prefixes("10.0.0.0/8")); got.String() != "198.51.100.1" {
		t.Errorf("got %s", got)
	}
}

func TestCeilingKey(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.1":            "192.0.2.1",
		"::ffff:192.0.2.1":     "192.0.2.1",
		"2001:db8:0:1::1":      "2001:db8:0:1::/64",
		"2001:db8:0:1:ffff::9": "2001:db8:0:1::/64",
		"2001:db8:0:2::1":      "2001:db8:0:2::/64",
		"2001:db8:0:1::1%eth0": "2001:db8:0:1::/64",
		"::1":                  "::/64",
	} {
		if got := ceilingKey(netip.MustParseAddr(addr)); got != want {
			t.Errorf("%s: %s, want %s", addr, got, want)
		}
	}
	if got := ceilingKey(netip.Addr{}); got != "unknown" {
		t.Errorf("the zero Addr: %s", got)
	}
}

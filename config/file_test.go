package config

import (
	"strings"
	"testing"
)

// A value of the file is the text that stands there, as a variable's is: nothing is
// made a number of first.
func TestFileIsReadAsWritten(t *testing.T) {
	for _, text := range []string{"0123456", "0x10", "1_000", "1e3", "1.50", "0o17", "+7", "True", "yes", ".inf", "2026-01-02", "2026-01-02 03:04:05Z", "99999999999999999999", "!!int 010", "!!binary aGk="} {
		want := text
		if strings.HasPrefix(text, "!!") {
			_, want, _ = strings.Cut(text, " ")
		}
		for _, file := range []string{"oidc:\n  name: " + text + "\n", "oidc: {name: " + text + "}", "oidc: {client_id: &a " + text + ", client_secret: s, issuer: 'https://h', name: *a}"} {
			if got := mustLoad(t, file).OIDC.Name; got != want {
				t.Errorf("%s: %q, want %q", file, got, want)
			}
		}
	}
	for _, text := range []string{"0x10", "1_000", "1e3", "0o17", "!!int 0x10"} {
		_, err := load(t, "ratelimit: {per_key: "+text+"}")
		wantError(t, err, "ratelimit.per_key", "whole number", text[len(text)-3:])
	}
	if got := mustLoad(t, "ratelimit: {per_key: 010}").RateLimit.PerKey; got != 10 {
		t.Errorf("010 is %d", got)
	}
	if got := mustLoad(t, "trace: {ratio: 1e-1}").Trace.Ratio; got != 0.1 {
		t.Errorf("1e-1 is %v", got)
	}
	_, err := load(t, "server: {trusted_proxies: [10.0.0.1, 0x10]}")
	wantError(t, err, "server.trusted_proxies", `"0x10"`)
}

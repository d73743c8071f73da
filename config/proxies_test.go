package config

import (
	"fmt"
	"testing"
)

func TestTrustedProxies(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "[]",
		" ":                              "[]",
		"10.1.2.3":                       "[10.1.2.3/32]",
		"10.1.2.3/8":                     "[10.0.0.0/8]", // the bits of the host do not matter
		"10.0.0.0/8,2001:db8::/32 , ::1": "[10.0.0.0/8 2001:db8::/32 ::1/128]",
		"::ffff:10.1.2.3":                "[10.1.2.3/32]",
		"::ffff:10.0.0.0/104":            "[10.0.0.0/8]",
		"0.0.0.0/0, ::/0":                "[0.0.0.0/0 ::/0]",
	} {
		got, err := proxies(text)
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%q: %v, %v; want %s", text, got, err, want)
		}
	}
}

func TestTrustedProxiesInEachSource(t *testing.T) {
	const want = "[10.0.0.0/8 ::1/128]"
	for source, c := range map[string]Config{
		"flag":             mustLoad(t, "", "--server.trusted_proxies=10.0.0.0/8, ::1"),
		"YAML list":        mustLoad(t, "server:\n  trusted_proxies:\n  - 10.0.0.0/8\n  - '::1'"),
		"YAML string":      mustLoad(t, "server: {trusted_proxies: '10.0.0.0/8,::1'}"),
		"flag over a list": mustLoad(t, "server: {trusted_proxies: [192.0.2.1]}", "--server.trusted_proxies=10.0.0.0/8,::1"),
	} {
		if got := fmt.Sprint(c.Server.TrustedProxies); got != want {
			t.Errorf("%s: %s", source, got)
		}
	}
	t.Setenv("RECORDS_SERVER_TRUSTED_PROXIES", "10.0.0.0/8, ::1")
	if got := fmt.Sprint(mustLoad(t, "server: {trusted_proxies: [192.0.2.1]}").Server.TrustedProxies); got != want {
		t.Errorf("environment: %s", got)
	}
}

package main

import (
	"strings"
	"testing"
)

// A server whose variable is set is not started.
func TestChoose(t *testing.T) {
	for _, test := range []struct{ only, set, want string }{
		{"", "", "postgres redis postgres-programs pgbouncer nginx chromium curl python"},
		{"", "TEST_POSTGRES_URL", "redis postgres-programs pgbouncer nginx chromium curl python"},
		{"", "TEST_REDIS_URL", "postgres postgres-programs pgbouncer nginx chromium curl python"},
		{"", "TEST_PGBOUNCER", "postgres redis postgres-programs nginx chromium curl python"},
		{"", "TEST_CHROMIUM", "postgres redis postgres-programs pgbouncer nginx curl python"},
		{"", "TEST_PYTHON", "postgres redis postgres-programs pgbouncer nginx chromium curl"},
		{"postgres", "", "postgres"},
		{"redis", "TEST_POSTGRES_URL", "redis"},
		{"postgres", "TEST_POSTGRES_URL", ""},
		{"node", "TEST_POSTGRES_URL", "node"},
		{"node,postgres", "", "postgres node"},
		{"postgres,node", "TEST_POSTGRES_URL", "node"},
	} {
		chosen, err := choose(test.only, func(variable string) string {
			if variable == test.set {
				return "a URL"
			}
			return ""
		})
		if err != nil {
			t.Error(err)
		}
		var names []string
		for _, s := range chosen {
			names = append(names, s.name)
		}
		if got := strings.Join(names, " "); got != test.want {
			t.Errorf("-only %q with %q set starts %q, not %q", test.only, test.set, got, test.want)
		}
	}
	for _, only := range []string{"mysql", "node,mysql", "node,node", ","} {
		if _, err := choose(only, func(string) string { return "" }); err == nil {
			t.Errorf("-only %s is taken", only)
		}
	}
}

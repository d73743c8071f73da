package config

import (
	"strings"
	"testing"
)

// faulty are values that a setting refuses, whatever source they come from.
var faulty = map[string][]string{
	"addr":                        {"8080", "localhost", "127.0.0.1", "127.0.0.1:", "127.0.0.1:http", "127.0.0.1:65536", "::1:80", "1.2.3.256:80", "a b:80", "127.0.0.1:-1"},
	"database.url":                {"records.db", "sqlite:", "mysql://h/db", "postgres:", "postgres://", "postgres:db", "postgres://u:s3cret@h:x/db", "postgres://u:s3cret%zz@h/db", "postgres://u:s3cret@h:x,i:1/db", "postgres://u:s3cret%zz@h,i/db"},
	"database.migrate":            {"yes", "2", "TRue"},
	"database.max_connections":    {"-1", "many", "1.5", "2147483648"},
	"database.statement_cache":    {"-1", "on", "1001"},
	"database.row_level_security": {"yes", "2", "TRue"},
	"ratelimit.per_key":           {"-1", "+1", "many", "1.5", " 1", "1s", "99999999999999999999", "0x10"},
	"database.lock_timeout":       {"3", "0", "9ms", "11m"},
	"database.lock_patience":      {"60", "0", "999ms", "25h"},
	"ratelimit.per_ip":            {"-1", "1_000"},
	"ratelimit.store":             {"redis", "Memory", "redis:", "redis://", "http://h", "redis://:s3cret@h:port", "redis://:s3/cret@h/0", "redis://:s3cret@h/one", "redis://:s3cret%@h", "redis://h:65536"},
	"server.trusted_proxies":      {"proxy", "10.0.0.0/33", "10.0.0.1,", ",", "10.0.0.1:80", "fe80::1%eth0", "10.0.0.0/8;::1"},
	"server.drain_delay":          {"1", "-1s", "21s", "soon"},
	"server.request_timeout":      {"8", "0", "99ms", "2m"},
	"server.max_connections":      {"0", "-1", "many"},
	"server.max_waiting":          {"-1", "many", "1000001"},
	"server.max_wait":             {"1", "9ms", "2m"},
	"metrics.addr":                {"9090", "localhost", "1.2.3.256:80", "off"},
	"trace.endpoint":              {"127.0.0.1:4318", "grpc://h:4317", "http://", "http://u:s3cret@h:port", "http://u:s3cret@h?key=1", "http://u:s3cret%zz@h", "http://u:s3cret@h/#a"},
	"trace.ratio":                 {"-0.1", "1.1", "all", "NaN", "10%"},
	"developer.url":               {"records.example.com", "ftp://h", "https://", "https://h/path", "https://h?q=1", "https://h?", "https://h#f", "https://u:s3cret@h", "http://h:port", "http://h:", "http://h:65536", "javascript:alert(1)"},
	"oidc.issuer":                 {"accounts.example.com", "https://", "https://h?q=1", "https://u:s3cret@h", "https://h#f", "mailto:a@b", "http://id.example.com", "http://10.0.0.7:8080"},
	"oidc.client_id":              {" ", "a\tb"},
	"oidc.client_secret":          {"\u00a0", "s3\tcret"},
	"oidc.name":                   {" ", "a\tb"},
	"log.level":                   {"loud", "INFO+1", "0"},
	"log.format":                  {"JSON", "logfmt"},
}

func TestFaultyValues(t *testing.T) {
	if len(faulty) != len(settings) {
		t.Fatalf("%d settings, %d tested", len(settings), len(faulty))
	}
	for name, values := range faulty {
		for _, text := range values {
			_, err := load(t, "", "--"+name+"="+text)
			wantError(t, err, name, "--"+name)
			noSecret(t, err)

			t.Run(name+" "+text, func(t *testing.T) {
				t.Setenv(envName(name), text)
				_, err := load(t, "")
				wantError(t, err, name, envName(name))
				noSecret(t, err)
			})

			_, err = load(t, yamlOf(name, "'"+text+"'"))
			wantError(t, err, name, "records.yaml")
			noSecret(t, err)
		}
	}
}

func noSecret(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	if text := strings.ReplaceAll(err.Error(), "client_secret", ""); strings.Contains(text, "s3c") || strings.Contains(text, "cret") {
		t.Errorf("a password in %q", err)
	}
}

// yamlOf is a file with one setting.
func yamlOf(name, value string) string {
	section, key, nested := strings.Cut(name, ".")
	if !nested {
		return name + ": " + value
	}
	return section + ":\n  " + key + ": " + value
}

func TestFaultyFlagsEmpty(t *testing.T) {
	for _, s := range settings {
		if s.standard == "" { // where none is meant
			continue
		}
		_, err := load(t, "", "--"+s.name+"=")
		wantError(t, err, "--"+s.name)
	}
}

// A stronger source does not hide the fault of a weaker one.
func TestFaultyAlthoughOverridden(t *testing.T) {
	_, err := load(t, "log: {level: loud}", "--log.level=warn")
	wantError(t, err, "log.level", "records.yaml", `"loud"`)
}

// Half a provider is a mistake, and not none.
func TestHalfAProvider(t *testing.T) {
	_, err := load(t, "", "--oidc.issuer=https://id.example.com", "--oidc.client_id=records")
	wantError(t, err, "oidc.client_secret")
	_, err = load(t, "", "--oidc.client_secret=s3cret", "--oidc.client_id=records")
	wantError(t, err, "oidc.issuer")
	noSecret(t, err)
	mustLoad(t, "", "--oidc.name=Nobody")
}

func TestUnknownVariable(t *testing.T) {
	t.Setenv("RECORDS_RATELIMIT_PERKEY", "5")
	_, err := load(t, "")
	wantError(t, err, "RECORDS_RATELIMIT_PERKEY")

	t.Setenv("RECORDS_RATELIMIT_PERKEY", "")
	mustLoad(t, "")
}

func TestFaultyFiles(t *testing.T) {
	for file, parts := range map[string][]string{
		"adr: x":                                   {`"adr"`, "unknown"},
		"Addr: 127.0.0.1:1":                        {`"Addr"`, "unknown"},
		"config: x.yaml":                           {`"config"`, "unknown"},
		"ratelimit: {per_key: 1, perip: 2}":        {`"ratelimit.perip"`, "unknown"},
		"other: {per_key: 1}":                      {`"other"`, "unknown"},
		"ratelimit.per_key: 1":                     {"ratelimit.per_key", "nested"},
		"\"a\\nb\": 1":                             {`"a\nb"`, "unknown"},
		"ratelimit: 5":                             {"ratelimit", "below"},
		"ratelimit: [per_key]":                     {"ratelimit", "below"},
		"ratelimit: {1: 2}":                        {"ratelimit", "below"},
		"addr: {host: a, port: 1}":                 {"addr", "one value"},
		"addr: [a]":                                {"addr", "one value"},
		"addr: 8080":                               {"addr", "host:port"},
		"addr: 2026-01-02":                         {"addr", "host:port"},
		"log: {level: [info]}":                     {"log.level", "one value"},
		"ratelimit: {per_key: 1.5}":                {"ratelimit.per_key", "whole number"},
		"ratelimit: {per_key: true}":               {"ratelimit.per_key", "whole number"},
		"ratelimit: {per_key: .nan}":               {"ratelimit.per_key", "whole number"},
		"database: {migrate: yes}":                 {"database.migrate", "true or false"},
		"server: {drain_delay: 1}":                 {"server.drain_delay", "duration"},
		"server: {trusted_proxies: {a: b}}":        {"server.trusted_proxies", "list"},
		"server: {trusted_proxies: [[a]]}":         {"server.trusted_proxies", "list"},
		"server: {trusted_proxies: [10.0.0.1, x]}": {"server.trusted_proxies", `"x"`},
		"addr: 127.0.0.1:1\naddr: 127.0.0.1:1":     {"records.yaml", "addr", "already"},
		"log:\n  level: info\n  level: info":       {"records.yaml", "level", "already"},
		"- addr":                                   {"records.yaml", "name: value"},
		"postgres://u:s3cret@h/db":                 {"records.yaml", "name: value"},
		"1: 2":                                     {"records.yaml", "name: value"},
		"addr: [":                                  {"records.yaml", "line"},
		"addr: 127.0.0.1:1\n---\naddr: x":          {"records.yaml", "one YAML document"},
		"addr: *nothing":                           {"records.yaml", "nothing"},
	} {
		_, err := load(t, file)
		wantError(t, err, parts...)
		noSecret(t, err)
	}
}

func TestFilesThatSetNothing(t *testing.T) {
	want := mustLoad(t, "")
	for _, file := range []string{" ", "# nothing", "---", "~", "addr:", "ratelimit:", "ratelimit: {per_key: ~}", "server: {trusted_proxies: []}"} {
		if got := mustLoad(t, file); got.Addr != want.Addr || got.RateLimit != want.RateLimit || got.Server.TrustedProxies != nil {
			t.Errorf("%q: %+v", file, got)
		}
	}
}

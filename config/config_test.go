package config

import (
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

// load runs Load as a command would, with a command line and a file. An empty
// file is none.
func load(t *testing.T, file string, arguments ...string) (Config, error) {
	t.Helper()
	if file != "" {
		path := filepath.Join(t.TempDir(), "records.yaml")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		arguments = append(arguments, "--config", path)
	}
	fs := pflag.NewFlagSet("records", pflag.ContinueOnError)
	Flags(fs)
	if err := fs.Parse(arguments); err != nil {
		t.Fatal(err)
	}
	return Load(fs)
}

func mustLoad(t *testing.T, file string, arguments ...string) Config {
	t.Helper()
	c, err := load(t, file, arguments...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// wantError checks that err is one line that has all the parts.
func wantError(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", parts)
	}
	if strings.ContainsAny(err.Error(), "\r\n") {
		t.Errorf("more than one line: %q", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q lacks %q", err, part)
		}
	}
}

func TestDefaults(t *testing.T) {
	want := Config{
		Addr:      "127.0.0.1:8080",
		Database:  Database{URL: "sqlite:records.db", MaxConnections: 0, StatementCache: 100, LockTimeout: 500 * time.Millisecond, LockPatience: time.Minute},
		RateLimit: RateLimit{PerKey: 600, PerIP: 1200, Store: "memory"},
		Server:    Server{DrainDelay: time.Second, RequestTimeout: 8 * time.Second, MaxConnections: 4096, MaxWaiting: 1000, MaxWait: time.Second},
		Trace:     Trace{Ratio: 0.1},
		OIDC:      OIDC{Name: "single sign-on"},
		Log:       Log{Level: slog.LevelInfo, Format: "text"},
		Sources:   map[string]string{},
	}
	if got := mustLoad(t, ""); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// everyFile and everyValue set each setting to something other than its default.
const everyFile = `
addr: "[::1]:0"
database: {url: "postgres://u:p@h/db?sslmode=disable", migrate: true, max_connections: 3, statement_cache: 0, row_level_security: true, lock_timeout: 500ms, lock_patience: 2m}
ratelimit: {per_key: 0, per_ip: 7, store: "rediss://u:p@h:6380/2"}
server:
  trusted_proxies: [10.0.0.0/8, "::1"]
  drain_delay: 0s
  request_timeout: 2500ms
  max_connections: 9
  max_waiting: 0
  max_wait: 250ms
metrics: {addr: "localhost:9090"}
trace: {endpoint: "https://u:p@h:4318/otlp", ratio: 0.25}
developer: {url: "https://Records.example.com:8443/"}
oidc: {issuer: "https://id.example.com/Realm/", client_id: records, client_secret: "s3 cret", name: Example ID}
log: {level: DEBUG, format: json}
`

var everyValue = map[string]string{
	"addr": "[::1]:0", "database.url": "postgres://u:p@h/db?sslmode=disable", "database.migrate": "true",
	"database.max_connections": "3", "database.statement_cache": "0", "database.row_level_security": "true", "database.lock_timeout": "500ms", "database.lock_patience": "2m", "ratelimit.per_key": "0", "ratelimit.per_ip": "7",
	"ratelimit.store": "rediss://u:p@h:6380/2", "server.trusted_proxies": "10.0.0.0/8, ::1",
	"server.drain_delay": "0s", "server.request_timeout": "2500ms",
	"server.max_connections": "9", "server.max_waiting": "0", "server.max_wait": "250ms",
	"metrics.addr": "localhost:9090", "trace.endpoint": "https://u:p@h:4318/otlp/", "trace.ratio": "0.25", "log.level": "DEBUG", "log.format": "json",
	"developer.url": "https://Records.example.com:8443/", "oidc.issuer": "https://id.example.com/Realm/", "oidc.client_id": "records",
	"oidc.client_secret": "s3 cret", "oidc.name": "Example ID",
}

func TestEverySettingInEverySource(t *testing.T) {
	want := Config{
		Addr:      "[::1]:0",
		Database:  Database{URL: "postgres://u:p@h/db?sslmode=disable", Migrate: true, MaxConnections: 3, StatementCache: 0, RowSecurity: true, LockTimeout: 500 * time.Millisecond, LockPatience: 2 * time.Minute},
		RateLimit: RateLimit{PerKey: 0, PerIP: 7, Store: "rediss://u:p@h:6380/2"},
		Server: Server{
			TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")},
			DrainDelay:     0, RequestTimeout: 2500 * time.Millisecond,
			MaxConnections: 9, MaxWaiting: 0, MaxWait: 250 * time.Millisecond,
		},
		Metrics:   Metrics{Addr: "localhost:9090"},
		Trace:     Trace{Endpoint: "https://u:p@h:4318/otlp", Ratio: 0.25},
		Log:       Log{Level: slog.LevelDebug, Format: "json"},
		Developer: Developer{URL: "https://records.example.com:8443"},
		OIDC:      OIDC{Issuer: "https://id.example.com/Realm/", ClientID: "records", ClientSecret: "s3 cret", Name: "Example ID"},
	}
	if len(everyValue) != len(settings) {
		t.Fatalf("%d settings, %d tested", len(settings), len(everyValue))
	}

	loads := func(t *testing.T, got Config, source func(name string) string) {
		t.Helper()
		want.Sources = map[string]string{}
		for name := range everyValue {
			want.Sources[name] = source(name)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if name := got.Name("database.url"); name != "database.url (from "+source("database.url")+")" {
			t.Errorf("it is called %q", name)
		}
	}

	t.Run("file", func(t *testing.T) {
		got := mustLoad(t, everyFile)
		path := got.Sources["addr"]
		if filepath.Base(path) != "records.yaml" {
			t.Errorf("found in %q", path)
		}
		loads(t, got, func(string) string { return path })
	})
	t.Run("flags", func(t *testing.T) {
		var arguments []string
		for name, text := range everyValue {
			arguments = append(arguments, "--"+name+"="+text)
		}
		loads(t, mustLoad(t, "", arguments...), func(name string) string { return "--" + name })
	})
	t.Run("environment", func(t *testing.T) {
		for name, text := range everyValue {
			t.Setenv(envName(name), text)
		}
		loads(t, mustLoad(t, ""), envName)
	})
}

package config

import (
	"log/slog"
	"math"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// setting is one row of the table: all that a flag, a variable, a key of the
// file and the documentation need to know.
type setting struct {
	name     string // the flag is --name, the variable envName(name), the key of the file nested by its dots
	standard string // the default, written as in a flag
	usage    string // the help of the flag; `backquotes` name its value
	shape    shape
	set      func(c *Config, text string) error // checks text and stores it in its field
}

// shape is how a value may be written.
type shape int

const (
	plain  shape = iota // one value
	toggle              // true or false; the flag alone means true
	list                // separated by commas; in the file a YAML list too
)

// String says what the file may hold, for an error.
func (s shape) String() string {
	if s == list {
		return "a list of texts, or one text with commas"
	}
	return "one value, not a list or a section"
}

// The longest waits. Stopping must end within 30 seconds, whatever the drain
// delay; above 8 seconds of request timeout a request can no longer be
// answered within 10 when the database is away.
const (
	maxDrainDelay     = 20 * time.Second
	maxRequestTimeout = time.Minute
	minRequestTimeout = 100 * time.Millisecond
	minLockTimeout    = 10 * time.Millisecond
	maxLockTimeout    = 10 * time.Minute
	minLockPatience   = time.Second
	maxLockPatience   = 24 * time.Hour
	minMaxWait        = 10 * time.Millisecond
	maxMaxWait        = time.Minute
)

// maxWaiting is more than can be waiting for something else than the end of their time.
const maxWaiting = 1_000_000

// maxStatementCache keeps the memory of a server's session within some 20 MiB.
const maxStatementCache = 1000

// settings is every setting there is. A new one is one line here and its field
// in Config.
var settings = []setting{
	{"addr", "127.0.0.1:8080", "listen on `host:port`; port 0 takes a free one, an empty host listens on every address", plain,
		into(address, func(c *Config) *string { return &c.Addr })},
	{"database.url", "sqlite:records.db", "keep the records in this `database`: sqlite:FILE (relative to the working folder) or postgres://USER:PASSWORD@HOST/NAME", plain,
		into(databaseURL, func(c *Config) *string { return &c.Database.URL })},
	{"database.migrate", "false", "bring the schema of a PostgreSQL database up to date at the start: `true or false`; SQLite's always is", toggle,
		into(boolean, func(c *Config) *bool { return &c.Database.Migrate })},
	{"database.max_connections", "0", "open at most this `number` of connections to the database; 0: 24 to PostgreSQL, 8 that read an SQLite file", plain,
		into(whole(0, math.MaxInt32), func(c *Config) *int { return &c.Database.MaxConnections })},
	{"database.statement_cache", "100", "keep at most this `number` of prepared statements on each connection to PostgreSQL, 0 to 1000; 0 behind a pooler that shares sessions, such as PgBouncer in transaction mode", plain,
		into(whole(0, maxStatementCache), func(c *Config) *int { return &c.Database.StatementCache })},
	{"database.row_level_security", "false", "have PostgreSQL itself confine each statement to the workspace that it is for: `true or false`; 'records row-level-security on' puts up what that takes", toggle,
		into(boolean, func(c *Config) *bool { return &c.Database.RowSecurity })},
	{"database.lock_timeout", "500ms", "let a migration wait for locks for this `duration` in all, 10ms to 10m, before it is rolled back and tried again", plain,
		into(duration(minLockTimeout, maxLockTimeout), func(c *Config) *time.Duration { return &c.Database.LockTimeout })},
	{"database.lock_patience", "1m", "try a migration that others hold up again for this `duration`, 1s to 24h", plain,
		into(duration(minLockPatience, maxLockPatience), func(c *Config) *time.Duration { return &c.Database.LockPatience })},
	{"ratelimit.per_key", "600", "requests a minute that one API key may make, a `number`; 0 for no ceiling", plain,
		into(whole(0, math.MaxInt32), func(c *Config) *int { return &c.RateLimit.PerKey })},
	{"ratelimit.per_ip", "1200", "requests a minute that one address (IPv6: one /64) may make, a `number`; 0 for no ceiling", plain,
		into(whole(0, math.MaxInt32), func(c *Config) *int { return &c.RateLimit.PerIP })},
	{"ratelimit.store", "memory", "count requests in this `store`: memory (each replica by itself), redis://USER:PASSWORD@HOST:PORT/DB or rediss://… (all replicas together)", plain,
		into(storeURL, func(c *Config) *string { return &c.RateLimit.Store })},
	{"server.trusted_proxies", "", "believe X-Forwarded-For from these `addresses` or CIDR ranges, separated by commas; none by default", list,
		into(proxies, func(c *Config) *[]netip.Prefix { return &c.Server.TrustedProxies })},
	{"server.drain_delay", "1s", "when told to stop, fail /readyz for this `duration` before the listener closes, 20s at most", plain,
		into(duration(0, maxDrainDelay), func(c *Config) *time.Duration { return &c.Server.DrainDelay })},
	{"server.request_timeout", "8s", "give up a request after this `duration`, 100ms to 1m", plain,
		into(duration(minRequestTimeout, maxRequestTimeout), func(c *Config) *time.Duration { return &c.Server.RequestTimeout })},
	{"server.max_connections", "4096", "keep at most this `number` of connections of clients open, 1 or more; one too many is answered 503", plain,
		into(whole(1, math.MaxInt32), func(c *Config) *int { return &c.Server.MaxConnections })},
	{"server.max_waiting", "1000", "let at most this `number` of requests wait for their turn at the database, 0 to 1000000; one too many is answered 503", plain,
		into(whole(0, maxWaiting), func(c *Config) *int { return &c.Server.MaxWaiting })},
	{"server.max_wait", "1s", "let a request wait for its turn at the database for this `duration`, 10ms to 1m, before it is answered 503", plain,
		into(duration(minMaxWait, maxMaxWait), func(c *Config) *time.Duration { return &c.Server.MaxWait })},
	{"metrics.addr", "", "serve Prometheus' metrics and the health checks on this `host:port`, too; none by default", plain,
		into(optional(address), func(c *Config) *string { return &c.Metrics.Addr })},
	{"trace.endpoint", "", "send traces to the OpenTelemetry collector at this `URL`, as http://127.0.0.1:4318, by OTLP over HTTP; none by default", plain,
		into(optional(collectorURL), func(c *Config) *string { return &c.Trace.Endpoint })},
	{"trace.ratio", "0.1", "trace this `part` of the requests, from 0 to 1, beside those whose caller says so by traceparent", plain,
		into(part, func(c *Config) *float64 { return &c.Trace.Ratio })},
	{"developer.url", "", "people reach the developer area at this `URL`, as https://records.example.com; it stands in links, and the default is http:// and addr", plain,
		into(origin, func(c *Config) *string { return &c.Developer.URL })},
	{"oidc.issuer", "", "let people sign in with the OpenID Connect provider at this `URL`", plain,
		into(issuer, func(c *Config) *string { return &c.OIDC.Issuer })},
	{"oidc.client_id", "", "the `id` by which the provider knows this program", plain,
		into(words, func(c *Config) *string { return &c.OIDC.ClientID })},
	{"oidc.client_secret", "", "the `secret` that goes with the id; better in the environment or the file than in a flag", plain,
		into(words, func(c *Config) *string { return &c.OIDC.ClientSecret })},
	{"oidc.name", "single sign-on", "what people call the provider, a `name`: it stands on the sign-in page", plain,
		into(words, func(c *Config) *string { return &c.OIDC.Name })},
	{"log.level", "info", "log from this `level` on: debug, info, warn or error", plain,
		into(level, func(c *Config) *slog.Level { return &c.Log.Level })},
	{"log.format", "text", "write the log in this `format`: text or json", plain,
		into(oneOf("text", "json"), func(c *Config) *string { return &c.Log.Format })},
}

// Flags adds one flag a setting (--ratelimit.per_key …) and --config to fs.
//
// All of them take text, which [Load] checks: viper turns a faulty value of a
// typed flag into 0 without a word.
func Flags(fs *pflag.FlagSet) {
	fs.String(configFlag, "", "read settings from this YAML `file`; flags and the environment (RECORDS_…) win over it")
	for _, s := range settings {
		fs.String(s.name, s.standard, s.usage)
		if s.shape == toggle {
			fs.Lookup(s.name).NoOptDefVal = "true"
		}
	}
}

// Args joins a toggle with a true or false that stands behind it as an argument
// of its own: a flag that may stand alone takes no such value otherwise.
func Args(args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		s, ok := known(strings.TrimPrefix(args[i], "--"))
		if ok && s.shape == toggle && i+1 < len(args) && (args[i+1] == "true" || args[i+1] == "false") {
			joined = append(joined, args[i]+"="+args[i+1])
			i++
			continue
		}
		joined = append(joined, args[i])
	}
	return joined
}

// known finds a setting by its name, to the letter.
func known(name string) (setting, bool) {
	for _, s := range settings {
		if s.name == name {
			return s, true
		}
	}
	return setting{}, false
}

// into joins a parser to the field of Config that its value goes to.
func into[T any](parse func(string) (T, error), field func(*Config) *T) func(*Config, string) error {
	return func(c *Config, text string) error {
		value, err := parse(text)
		if err != nil {
			return err
		}
		*field(c) = value
		return nil
	}
}

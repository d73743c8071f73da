// Package config reads the settings of the program: flags over environment
// over file over defaults. It is the one user of viper, and it knows none of
// the packages that it configures.
//
// Every value is checked in every source, one that a stronger source overrides
// too, so that a fault does not lie in wait until the override is gone.
package config

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
)

// Config is every setting, checked. The table in settings.go has the names,
// the defaults and the meaning of each.
type Config struct {
	Addr      string // host:port to listen on; the host may be empty, the port 0
	Database  Database
	RateLimit RateLimit
	Server    Server
	Metrics   Metrics
	Trace     Trace
	Developer Developer
	OIDC      OIDC
	Log       Log

	Sources map[string]string // where what is set was found, by name
}

// Name is a setting's name with where its value was found, if that is not the default:
// "database.url (from RECORDS_DATABASE_URL)".
func (c Config) Name(setting string) string {
	if source := c.Sources[setting]; source != "" {
		return fmt.Sprintf("%s (from %s)", setting, source)
	}
	return setting
}

// Database says where the records are kept.
type Database struct {
	URL            string        // sqlite:FILE, postgres://… or postgresql://…; may hold a password
	Migrate        bool          // bring a PostgreSQL schema up to date at the start
	MaxConnections int           // at least 1
	StatementCache int           // prepared statements of a connection; 0 for none
	RowSecurity    bool          // each session of PostgreSQL is confined to a workspace
	LockTimeout    time.Duration // of a migration, all its statements together
	LockPatience   time.Duration // with a migration that others hold up
}

// RateLimit is the two ceilings, in requests a minute; 0 turns one off.
type RateLimit struct {
	PerKey int
	PerIP  int
	Store  string // memory, redis://… or rediss://…; may hold a password
}

// Server is how requests are taken in and how the program stops.
type Server struct {
	TrustedProxies []netip.Prefix // masked, IPv4 never in its IPv6 form; nil for none
	DrainDelay     time.Duration  // from /readyz failing to the listener closing
	RequestTimeout time.Duration  // the most that one request may take
	MaxConnections int            // of clients, at least 1
	MaxWaiting     int            // requests that wait for the database; 0 for none
	MaxWait        time.Duration  // for how long each
}

// Metrics is where they are served.
type Metrics struct {
	Addr string // host:port; "" for nowhere
}

// Trace is where traces go.
type Trace struct {
	Endpoint string  // http://… or https://…; may hold a password; "" for nowhere
	Ratio    float64 // the part of the requests that is traced, 0 to 1
}

// Developer is the developer area.
type Developer struct {
	URL string // the address at which people reach it, scheme and host; "" for that of Addr
}

// OIDC is the provider of OpenID Connect that people can sign in with; no issuer for
// none.
type OIDC struct {
	Issuer       string // its URL
	ClientID     string
	ClientSecret string
	Name         string // for people
}

// Log is what is logged, and how it is written.
type Log struct {
	Level  slog.Level
	Format string // text or json
}

// Load reads the settings: flags over environment over file over defaults.
//
// The flags are those that [Flags] added to fs, already parsed; one given on
// the command line wins even where it repeats the default. An error is one
// line that names the setting and the source, and never shows a password.
func Load(fs *pflag.FlagSet) (Config, error) {
	if err := checkFlags(fs); err != nil {
		return Config{}, err
	}
	if err := checkEnvironment(); err != nil {
		return Config{}, err
	}
	path, source, err := filePath(fs)
	if err != nil {
		return Config{}, err
	}
	file, err := readFile(path, source)
	if err != nil {
		return Config{}, err
	}
	return decode(merge(fs, file), sources(fs, path, file))
}

// merge lays the sources over one another, each value as its text. An empty
// environment variable counts as not set, which is viper's default too.
func merge(fs *pflag.FlagSet, file map[string]any) *viper.Viper {
	v := viper.New()
	for _, s := range settings {
		v.SetDefault(s.name, s.standard)
		_ = v.BindEnv(s.name, envName(s.name)) // fails only without a name
		if flag := fs.Lookup(s.name); flag != nil {
			_ = v.BindPFlag(s.name, flag) // fails only for nil
		}
	}
	_ = v.MergeConfigMap(file) // returns nil, always
	return v
}

// decode fills a Config from the merged text of the settings.
func decode(v *viper.Viper, from map[string]string) (Config, error) {
	c := Config{Sources: from}
	for _, s := range settings {
		text := v.GetString(s.name)
		if text == "" && s.standard == "" { // not set, and nothing without it
			continue
		}
		if err := s.set(&c, text); err != nil {
			return Config{}, fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if err := c.checkOIDC(); err != nil {
		return Config{}, err
	}
	return c, nil
}

// checkOIDC refuses half a provider, which nobody could sign in with.
func (c Config) checkOIDC() error {
	given, missing := "", ""
	for _, s := range []struct{ name, value string }{{"oidc.issuer", c.OIDC.Issuer}, {"oidc.client_id", c.OIDC.ClientID}, {"oidc.client_secret", c.OIDC.ClientSecret}} {
		if s.value == "" {
			missing = cmp.Or(missing, s.name)
		} else {
			given = cmp.Or(given, c.Name(s.name))
		}
	}
	if given == "" || missing == "" {
		return nil
	}
	return fmt.Errorf("%s: is needed beside %s, for people to sign in with OpenID Connect", missing, given)
}

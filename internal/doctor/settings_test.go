package doctor_test

import (
	"context"
	"crypto/rand"
	"net/netip"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect"
	"github.com/redis/go-redis/v9"

	"records/config"
	"records/internal/dbtest"
	"records/internal/doctor"
)

// healthy are settings that fit.
func healthy() config.Config {
	return config.Config{
		Addr:      "0.0.0.0:8080",
		Database:  config.Database{MaxConnections: 4, StatementCache: 100},
		RateLimit: config.RateLimit{Store: "memory"},
		Server:    config.Server{RequestTimeout: 8 * time.Second, MaxWait: time.Second},
	}
}

// Settings that do not fit together are found, each by what is wrong with it.
func TestSettings(t *testing.T) {
	t.Parallel()
	d := doctor.Deployment{Config: healthy(), DB: dbtest.Open(t, dialect.SQLite)}
	found(t, d)
	for words, spoil := range map[string]func(c *config.Config){
		"server.max_wait (8s) is not below":       func(c *config.Config) { c.Server.MaxWait = 8 * time.Second },
		"server.request_timeout is 1m0s":          func(c *config.Config) { c.Server.RequestTimeout = time.Minute },
		"server.trusted_proxies holds 0.0.0.0/0":  func(c *config.Config) { c.Server.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0")} },
		"server.trusted_proxies holds ::/0":       func(c *config.Config) { c.Server.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("::/0")} },
		"developer.url is http://records.example": func(c *config.Config) { c.Developer.URL = "http://records.example" },
		"oidc.issuer is http://id.example": func(c *config.Config) {
			c.OIDC.Issuer, c.Developer.URL = "http://id.example", "https://records.example"
		},
		"oidc.issuer is set, and developer.url is not": func(c *config.Config) { c.OIDC.Issuer = "https://id.example" },
		"metrics.addr is 203.0.113.7:9090":             func(c *config.Config) { c.Metrics.Addr = "203.0.113.7:9090" },
		"Redis at 127.0.0.1:1 does not answer":         func(c *config.Config) { c.RateLimit.Store = "redis://:s3cret@127.0.0.1:1/0" },
		"no URL that the client of Redis":              func(c *config.Config) { c.RateLimit.Store = "redis://:s3cret@h/0?wrong=1" },
	} {
		d.Config = healthy()
		spoil(&d.Config)
		found(t, d, words)
	}
	for _, fit := range []func(c *config.Config){
		func(c *config.Config) { c.Developer.URL = "http://localhost:8080" },
		func(c *config.Config) { c.Developer.URL = "https://records.example" },
		func(c *config.Config) { c.OIDC.Issuer, c.Addr = "http://127.0.0.1:9000", "127.0.0.1:8080" },
		func(c *config.Config) { c.Metrics.Addr = "127.0.0.1:9090" },
	} {
		d.Config = healthy()
		fit(&d.Config)
		found(t, d)
	}
}

// A Redis that drops counts is found, and a good one is not.
func TestRedisThatDropsKeys(t *testing.T) {
	store := dbtest.Redis(t)
	options, err := redis.ParseURL(store)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	set := func(name, value string) {
		if err := client.ConfigSet(context.Background(), name, value).Err(); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(func() { set("maxmemory", "0"); set("maxmemory-policy", "noeviction"); client.Close() })
	d := doctor.Deployment{Config: healthy(), DB: dbtest.Open(t, dialect.SQLite)}
	d.Config.RateLimit.Store = store
	found(t, d)
	set("maxmemory-policy", "allkeys-lru")
	found(t, d)                // it has no bound
	set("maxmemory", "1000gb") // so that nothing is dropped from other tests
	found(t, d, "drops keys when its memory is full (maxmemory-policy allkeys-lru)")
}

// A Redis that answers, and whose user may run no scripts, is found.
func TestRedisThatCannotCount(t *testing.T) {
	store := dbtest.Redis(t)
	options, err := redis.ParseURL(store)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	user := "doctor-" + rand.Text()
	if err := client.ACLSetUser(t.Context(), user, "on", ">s3cret", "~*", "+@all", "-@scripting").Err(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.ACLDelUser(context.Background(), user).Err(); err != nil {
			t.Error(err)
		}
		client.Close()
	})
	d := doctor.Deployment{Config: healthy(), DB: dbtest.Open(t, dialect.SQLite)}
	d.Config.RateLimit.Store = strings.Replace(store, "redis://", "redis://"+user+":s3cret@", 1)
	found(t, d, "NOPERM this user has no permissions to run")
}

// found visits a deployment: what is found must hold these words, one fault each.
func found(t *testing.T, d doctor.Deployment, words ...string) {
	t.Helper()
	faults, err := doctor.Visit(t.Context(), d, false)
	if err != nil {
		t.Error(err)
		return
	}
	if len(faults) != len(words) {
		t.Errorf("found %+v, want %q", faults, words)
		return
	}
	for i, f := range faults {
		if !strings.Contains(f.What, words[i]) || f.Why == "" || f.Remedy == "" || f.Check == "" || f.Mended {
			t.Errorf("found %+v, want %q", f, words[i])
		}
		if strings.Contains(f.What+f.Why+f.Remedy, "s3cret") {
			t.Errorf("a password in %+v", f)
		}
	}
}

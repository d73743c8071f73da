package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestPrecedence(t *testing.T) {
	const file = "ratelimit: {per_key: 1}"
	if got := mustLoad(t, file).RateLimit.PerKey; got != 1 {
		t.Errorf("file over default: %d", got)
	}
	t.Setenv("RECORDS_RATELIMIT_PER_KEY", "2")
	if got := mustLoad(t, file).RateLimit.PerKey; got != 2 {
		t.Errorf("environment over file: %d", got)
	}
	if got := mustLoad(t, file, "--ratelimit.per_key=3").RateLimit.PerKey; got != 3 {
		t.Errorf("flag over environment: %d", got)
	}
	if got := mustLoad(t, file, "--ratelimit.per_key=600").RateLimit.PerKey; got != 600 {
		t.Errorf("a flag that repeats the default: %d", got)
	}
	t.Setenv("RECORDS_RATELIMIT_PER_KEY", "")
	if got := mustLoad(t, file).RateLimit.PerKey; got != 1 {
		t.Errorf("an empty variable is not set: %d", got)
	}
	t.Setenv("RECORDS_SERVER_TRUSTED_PROXIES", "10.0.0.1")
	if got := mustLoad(t, "", "--server.trusted_proxies=").Server.TrustedProxies; got != nil {
		t.Errorf("an empty flag empties a list: %v", got)
	}
}

func TestConfigFilePath(t *testing.T) {
	path := filepath.Join(t.TempDir(), "other.yaml")
	if err := os.WriteFile(path, []byte("addr: 127.0.0.1:9"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("RECORDS_CONFIG", path)
	if got := mustLoad(t, "").Addr; got != "127.0.0.1:9" {
		t.Errorf("RECORDS_CONFIG: %s", got)
	}
	if got := mustLoad(t, "addr: 127.0.0.1:8").Addr; got != "127.0.0.1:8" {
		t.Errorf("--config over RECORDS_CONFIG: %s", got)
	}
	_, err := load(t, "", "--config=")
	wantError(t, err, "--config")
	_, err = load(t, "", "--config=nowhere.yaml")
	wantError(t, err, "nowhere.yaml")
}

func TestToggleFlagAlone(t *testing.T) {
	if !mustLoad(t, "", "--database.migrate").Database.Migrate {
		t.Error("--database.migrate alone is not true")
	}
	if mustLoad(t, "database: {migrate: true}", "--database.migrate=false").Database.Migrate {
		t.Error("--database.migrate=false is not false")
	}
}

func TestArgs(t *testing.T) {
	for given, want := range map[string]string{
		"serve --database.migrate true --addr :0":  "serve --database.migrate=true --addr :0",
		"--database.migrate false":                 "--database.migrate=false",
		"serve --database.migrate":                 "serve --database.migrate",
		"--database.migrate serve":                 "--database.migrate serve",
		"import true --addr true --json true":      "import true --addr true --json true",
		"database.migrate --database.migrate=true": "database.migrate --database.migrate=true",
	} {
		if got := strings.Join(Args(strings.Fields(given)), " "); got != want {
			t.Errorf("%s: got %s, want %s", given, got, want)
		}
	}
}

func TestEveryFlagHasAUsage(t *testing.T) {
	fs := pflag.NewFlagSet("records", pflag.ContinueOnError)
	Flags(fs)
	fs.VisitAll(func(f *pflag.Flag) {
		if value, usage := pflag.UnquoteUsage(f); len(usage) < 20 || value == "string" {
			t.Errorf("--%s: value %q, usage %q", f.Name, value, usage)
		}
	})
}

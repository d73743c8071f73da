package database_test

import (
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect"

	"records/internal/database"
	"records/internal/dbtest"
)

// Several hosts stand where net/url and lib/pq find them, and so do their ports. One
// that takes writes is wanted of several, where the URL says nothing else.
func TestParseURL(t *testing.T) {
	t.Parallel()
	const readWrite = "target_session_attrs=read-write"
	for raw, want := range map[string]string{
		"postgres://u:p%40@a/db?sslmode=disable":              "postgres://u:p%40@a/db?sslmode=disable",
		"postgres://a:1/db?target_session_attrs=any":          "postgres://a:1/db?target_session_attrs=any",
		"postgres://a:1,b:2/db":                               "postgres:///db?host=a,b&port=1,2&" + readWrite,
		"postgresql://u:p%40@a:1,b,c:3/db?sslmode=disable":    "postgresql://u:p%40@/db?host=a,b,c&port=1,5432,3&sslmode=disable&" + readWrite,
		"postgres://a,b/db":                                   "postgres:///db?host=a,b&" + readWrite,
		"postgres://a,b/db?port=1,2":                          "postgres:///db?host=a,b&port=1,2&" + readWrite,
		"postgres://u@[::1]:1,[fe80::2]:2":                    "postgres://u@/?host=::1,fe80::2&port=1,2&" + readWrite,
		"postgres://a,b/db?target_session_attrs=primary":      "postgres:///db?host=a,b&target_session_attrs=primary",
		"postgres:///db?host=a,b&port=1,2":                    "postgres:///db?host=a,b&port=1,2&" + readWrite,
		"postgres://u:a,b@c/db":                               "postgres://u:a,b@c/db?",
		"postgres://a,b/d,b?target_session_attrs=any&x=1%2C2": "postgres:///d,b?host=a,b&target_session_attrs=any&x=1,2",
	} {
		u, err := database.ParseURL(raw)
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		got := strings.NewReplacer("%2C", ",", "%3A", ":").Replace(u.String())
		if strings.TrimSuffix(got, "?") != strings.TrimSuffix(want, "?") {
			t.Errorf("%s is read as %s, want %s", raw, got, want)
		}
		db, err := database.Open(raw, database.Options{})
		if err != nil {
			t.Errorf("%s: %v", raw, err)
			continue
		}
		_ = db.Close()
	}
}

// With verify-full each host has to show a certificate for its own name: that of
// another in the list does not do.
func TestEachHostIsVerified(t *testing.T) {
	t.Parallel()
	shown, root := certificate(t), filepath.Join(t.TempDir(), "root.crt")
	if err := os.WriteFile(root, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: shown.Certificate[0]}), 0o600); err != nil {
		t.Fatal(err)
	}
	url := dbtest.URL(t, dialect.Postgres)
	port := parse(t, overTLSWith(t, url, shown)).Port()
	nobody := dbtest.NewProxy(t, url)
	nobody.Refuse()
	for hosts, right := range map[string]bool{
		"localhost:" + port:                        true,
		"127.0.0.1:" + port:                        false,
		"127.0.0.1:" + port + ",localhost:" + port: true,
		"localhost:" + parse(t, nobody.URL()).Port() + ",127.0.0.1:" + port: false,
	} {
		db := dbtest.OpenURL(t, fmt.Sprintf("postgres://%s@%s%s?sslmode=verify-full&sslrootcert=%s", parse(t, url).User, hosts, parse(t, url).Path, root))
		if err := db.Ping(t.Context()); (err == nil) != right || err != nil && !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s: %v", hosts, err)
		}
	}
}
